#include "apps/engine/http/routes/mcp/mcp_request_bodies.hpp"

#include <map>
#include <string>

#include "apps/engine/http/requests/body_reader.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/logging.hpp"
#include "messages/wire/mcp/prompts.hpp"
#include "messages/wire/mcp/resources.hpp"

namespace troupe {

namespace {

void read_reference(object_reader& in, mcp::completion_request& out) {
  std::string type;
  in.require("type", type);
  out.of_prompt = type == "ref/prompt" || type == "prompt";
  if (!out.of_prompt && type != "ref/resource" && type != "resource")
    in.fail("type", R"(must be "ref/prompt" or "ref/resource")");
  in.require(out.of_prompt ? "name" : "uri", out.reference);
}

void read_completion(object_reader& in, mcp::completion_request& out) {
  in.expect("ref");
  in.expect("argument");
  in.read_object("ref", [&](object_reader& inner) { read_reference(inner, out); });
  in.read_object("argument", [&](object_reader& inner) {
    inner.require("name", out.argument);
    inner.read("value", out.value);
  });
  in.read_object("context", [&](object_reader& inner) { inner.read("arguments", out.context); });
}

} // namespace

failure parse_tool_call(std::string_view body, call_tool& out) {
  raw_json arguments{"{}"};
  auto bad = read_body(body, [&](object_reader& in) {
    in.require("server", out.server);
    in.require("tool", out.tool);
    in.read("arguments", arguments);
    in.read("asTask", out.as_task);
    in.read("sessionId", out.session_id);
    in.read("clientRequests", out.answers);
  });
  out.arguments = std::move(arguments.text);
  return bad;
}

failure parse_read(std::string_view body, read_resource& out) {
  return read_body(body, [&](object_reader& in) {
    in.require("server", out.server);
    in.require("uri", out.uri);
    in.read("refresh", out.refresh);
  });
}

failure parse_subscription(std::string_view body, std::string_view method, mcp_ask& out) {
  std::string uri;
  auto bad = read_body(body, [&](object_reader& in) {
    in.require("server", out.server);
    in.require("uri", uri);
  });
  out.method = method;
  out.params.text = mcp::uri_params(uri);
  return bad;
}

failure parse_prompt(std::string_view body, mcp_ask& out) {
  std::string name;
  std::map<std::string, std::string> arguments;
  auto bad = read_body(body, [&](object_reader& in) {
    in.require("server", out.server);
    in.require("name", name);
    in.read("arguments", arguments);
  });
  out.method = "prompts/get";
  out.params.text = mcp::prompt_params(name, arguments);
  return bad;
}

failure parse_completion(std::string_view body, mcp_ask& out) {
  mcp::completion_request ask;
  auto bad = read_body(body, [&](object_reader& in) {
    in.require("server", out.server);
    read_completion(in, ask);
  });
  out.method = "completion/complete";
  out.params.text = mcp::completion_params(ask);
  return bad;
}

failure parse_log_level(std::string_view body, mcp_ask& out) {
  std::string level;
  auto bad = read_body(body, [&](object_reader& in) {
    in.require("server", out.server);
    in.require("level", level);
    if (!level.empty() && !mcp::is_log_level(level))
      in.fail("level", "must be debug, info, notice, warning, error, critical, alert or emergency");
  });
  out.method = "logging/setLevel";
  out.params.text = mcp::set_level_params(level);
  return bad;
}

failure parse_request(std::string_view body, mcp_ask& out) {
  return read_body(body, [&](object_reader& in) {
    in.require("server", out.server);
    in.require("method", out.method);
    in.read("params", out.params);
  });
}

failure parse_client_answer(std::string_view body, client_answer& out) {
  return read_body(body, [&](object_reader& in) {
    in.require("action", out.action);
    if (!out.action.empty() && out.action != "accept" && out.action != "decline" &&
        out.action != "cancel")
      in.fail("action", R"(must be "accept", "decline" or "cancel")");
    in.read("content", out.content);
  });
}

failure parse_attachment(std::string_view body, add_attachment& out) {
  return read_body(body, [&](object_reader& in) {
    in.require("server", out.server);
    in.require("uri", out.uri);
  });
}

failure parse_enabled(std::string_view body, bool& out) {
  return read_body(body, [&](object_reader& in) {
    in.expect("enabled");
    in.read("enabled", out);
  });
}

failure parse_empty(std::string_view body) {
  if (body.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return {};
  return read_body(body, [](object_reader&) {});
}

} // namespace troupe
