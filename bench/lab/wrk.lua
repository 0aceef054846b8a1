-- Arguments: method, body. Fields come from wrk's own -H.
-- The report is one line of JSON: wrk's own text rounds, and its units change with the size of the number.
function init(args)
  wrk.method = args[1]
  if args[2] and args[2] ~= "" then wrk.body = args[2] end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'lab {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout))
end
