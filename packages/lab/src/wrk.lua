-- Arguments: method, body, requests to send together, the file of a body that is too long for an argument. Fields come from wrk's own -H.
-- The report is one line of JSON: wrk's own text rounds, and its units change with the size of the number.
function init(args)
  wrk.method = args[1]
  if args[2] and args[2] ~= "" then wrk.body = args[2] end
  if args[4] then
    local file = assert(io.open(args[4], "rb"))
    wrk.body = file:read("*a")
    file:close()
  end
  local depth = tonumber(args[3])
  if depth and depth > 1 then
    local batch = string.rep(wrk.format(), depth)
    -- wrk looks for a function of this name; it counts the requests of a batch itself.
    function request() return batch end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'lab {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
