-- wrk script: POST /api/chat, each turn in a chat of its own. Arguments: model, then a prefix for chat ids.
local model, prefix, thread_number, turn = "default", "bench", 0, 0

function setup(thread)
  thread:set("thread_number", thread_number)
  thread_number = thread_number + 1
end

function init(args)
  model, prefix = args[1] or model, args[2] or prefix
end

function request()
  turn = turn + 1
  local body = '{"id":"' .. prefix .. "-" .. thread_number .. "-" .. turn .. '","model":"' .. model ..
    '","trigger":"submit-message","messages":[{"id":"u1","role":"user","parts":' ..
    '[{"type":"text","text":"Say something, please."}]}]}'
  return wrk.format("POST", nil, { ["content-type"] = "application/json" }, body)
end
