-- Arguments: method, body, requests to send together, 'varied', 'varied:200' (the number in the path stays below it) or nothing, the file of a body that is too long for an argument. Fields
-- come from wrk's own -H.
-- The report is one line of JSON: wrk's own text rounds, and its units change with the size of the number.
function init(args)
  wrk.method = args[1]
  if args[2] and args[2] ~= "" then wrk.body = args[2] end
  if args[5] then
    local file = assert(io.open(args[5], "rb"))
    wrk.body = file:read("*a")
    file:close()
  end
  local depth = tonumber(args[3])
  if depth and depth > 1 then
    local batch = string.rep(wrk.format(), depth)
    -- wrk looks for a function of this name; it counts the requests of a batch itself.
    function request() return batch end
  end
  if args[4] and args[4]:sub(1, 6) == "varied" then vary(tonumber(args[4]:sub(8))) end
end

-- Requests that differ: 97 user agents, and a path, a cookie and an id of each request's own.
function vary(cycle)
  local base = wrk.path:gsub("%d+$", "")
  local count = 0
  function request()
    count = count + 1
    local headers = {}
    for name, value in pairs(wrk.headers) do headers[name] = value end
    headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:" .. count % 97 .. ".0) Gecko/20100101 Firefox/" .. count % 97 .. ".0"
    headers["Cookie"] = "sid=" .. count .. "; theme=dark"
    headers["X-Request-Id"] = "id-" .. count
    return wrk.format(wrk.method, base .. (cycle and count % cycle or count), headers)
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'lab {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
