-- The script of wrk: sends the requests of a file in turn, each with the next token, and prints the result as JSON.
-- Arguments: the file of requests, one "method, path, body" per line, separated by tabs; the file of tokens, one per
-- line; and the first number for {n}. wrk runs it with one thread.

local requests, tokens, count, number

local function lines(path)
  local list = {}
  for line in io.lines(path) do list[#list + 1] = line end
  return list
end

local function parsed(line)
  local method, path, body = line:match("^(%S+)\t(%S+)\t?(.*)$")
  if body == "" then body = nil end
  return { method = method, path = path, body = body, numbered = body and body:find("{n}", 1, true) }
end

local function headers(token, body)
  return { ["Authorization"] = "Bearer " .. token, ["Content-Type"] = body and "application/json" }
end

function init(args)
  requests, tokens, count, number = {}, lines(args[2]), 0, tonumber(args[3])
  local parsed_lines = {}
  for _, line in ipairs(lines(args[1])) do parsed_lines[#parsed_lines + 1] = parsed(line) end
  -- As many as there are combinations in turn: text that never changes is made once.
  for i = 1, math.max(#parsed_lines, #tokens) do
    local r = parsed_lines[(i - 1) % #parsed_lines + 1]
    local h = headers(tokens[(i - 1) % #tokens + 1], r.body)
    local text = not r.numbered and wrk.format(r.method, r.path, h, r.body)
    requests[i] = { text = text, method = r.method, path = r.path, headers = h, body = r.body }
  end
end

function request()
  count = count + 1
  local r = requests[(count - 1) % #requests + 1]
  if r.text then return r.text end
  local body = r.body:gsub("{n}", tostring(number + count))
  return wrk.format(r.method, r.path, r.headers, body)
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"errorStatuses":%d,"socketErrors":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    e.status, e.connect + e.read + e.write + e.timeout))
end
