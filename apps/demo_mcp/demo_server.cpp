#include "apps/demo_mcp/demo_server.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "messages/json.hpp"
#include "messages/wire/mcp/initialize.hpp"

namespace troupe::demo {

namespace {

constexpr std::string_view cursor_prefix = "tool-";

/// Reads the cursor of a page: the number of its first tool.
bool read_cursor(std::string_view text, size_t& out) {
  if (!text.starts_with(cursor_prefix))
    return false;
  text.remove_prefix(cursor_prefix.size());
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  return wrong == std::errc{} && end == text.data() + text.size() && out < all_tools().size();
}

void append_tool(json_buffer& out, const demo_tool& what) {
  append_raw(out, R"({"name":)");
  append_json(out, what.name);
  append_raw(out, R"(,"description":)");
  append_json(out, what.description);
  append_raw(out, R"(,"inputSchema":)");
  append_raw(out, what.schema);
  out.push_back('}');
}

std::string result_of(const tool_outcome& what) {
  json_buffer out;
  append_raw(out, R"({"content":[{"type":"text","text":)");
  append_json(out, what.text);
  append_raw(out, what.is_error ? R"(}],"isError":true})" : R"(}],"isError":false})");
  return std::string{view(out)};
}

} // namespace

demo_server::demo_server(size_t page, sender send) : page_{page}, send_{std::move(send)} {}

void demo_server::receive(std::string_view line, clock::time_point now) {
  for (const auto& each : jsonrpc::parse(line)) {
    if (const auto* asked = std::get_if<jsonrpc::request>(&each))
      on(*asked, now);
    else if (const auto* told = std::get_if<jsonrpc::notification>(&each))
      on(*told);
    else if (const auto* broken = std::get_if<jsonrpc::malformed>(&each))
      on(*broken);
    // responses are ignored: the server sends no requests
  }
}

void demo_server::on(const jsonrpc::request& what, clock::time_point now) {
  if (what.method == "ping")
    send_(jsonrpc::make_result(what.id, "{}"));
  else if (what.method == "initialize")
    initialize(what);
  else if (!is_initialized_)
    refuse(what, jsonrpc::invalid_request, "the first request must be initialize");
  else if (what.method == "tools/list")
    list_tools(what);
  else if (what.method == "tools/call")
    call_tool(what, now);
  else
    refuse(what, jsonrpc::method_not_found, "Method not found: " + what.method);
}

void demo_server::on(const jsonrpc::notification& what) {
  if (what.method != "notifications/cancelled")
    return;
  const auto id = json_params{what.params}.raw("/requestId");
  std::erase_if(running_, [&](const auto& each) { return each.id == id; });
}

void demo_server::on(const jsonrpc::malformed& what) {
  send_(jsonrpc::make_error("null", jsonrpc::parse_error, what.reason));
}

void demo_server::refuse(const jsonrpc::request& what, int64_t code, std::string_view message) {
  send_(jsonrpc::make_error(what.id, code, message));
}

void demo_server::initialize(const jsonrpc::request& what) {
  std::string revision;
  if (!json_params{what.params}.get("/protocolVersion", revision))
    return refuse(what, jsonrpc::invalid_params, "protocolVersion must be a string");
  is_initialized_ = true;
  json_buffer out;
  append_raw(out, R"({"protocolVersion":)");
  append_json(out, mcp::speaks(revision) ? std::string_view{revision} : mcp::latest_revision);
  append_raw(out, R"(,"capabilities":{"tools":{}},"serverInfo":{"name":"troupe-demo-mcp",)"
                  R"("title":"Troupe's demo server","version":)");
  append_json(out, version);
  append_raw(out, R"(},"instructions":"Tools that show how a tool can behave."})");
  send_(jsonrpc::make_result(what.id, view(out)));
}

void demo_server::list_tools(const jsonrpc::request& what) {
  const json_params params{what.params};
  std::string cursor;
  size_t first = 0;
  if (params.has("/cursor") && (!params.get("/cursor", cursor) || !read_cursor(cursor, first)))
    return refuse(what, jsonrpc::invalid_params, "Invalid cursor");
  const auto tools = all_tools();
  const auto last = page_ == 0 ? tools.size() : first + std::min(page_, tools.size() - first);
  json_buffer out;
  append_raw(out, R"({"tools":[)");
  for (auto i = first; i < last; ++i) {
    if (i > first)
      out.push_back(',');
    append_tool(out, tools[i]);
  }
  out.push_back(']');
  if (last < tools.size())
    fmt::format_to(std::back_inserter(out), R"(,"nextCursor":"{}{}")", cursor_prefix, last);
  out.push_back('}');
  send_(jsonrpc::make_result(what.id, view(out)));
}

void demo_server::call_tool(const jsonrpc::request& what, clock::time_point now) {
  const json_params params{what.params};
  std::string name;
  if (!params.get("/name", name))
    return refuse(what, jsonrpc::invalid_params, "name must be a string");
  const auto* tool = find_tool(name);
  if (tool == nullptr)
    return refuse(what, jsonrpc::invalid_params, "Unknown tool: " + name);
  running_call call{what.id, params.raw("/_meta/progressToken"), tool->run(params), 0, now};
  call.due += call.outcome.interval;
  if (!call.outcome.answers || !step(call, now))
    running_.push_back(std::move(call));
}

/// Sends the due messages of one call. Returns whether the call is answered.
bool demo_server::step(running_call& what, clock::time_point now) {
  for (; what.due <= now; what.due += what.outcome.interval) {
    if (what.steps_done < what.outcome.steps) {
      ++what.steps_done;
      if (!what.token.empty())
        send_(jsonrpc::make_notification(
            "notifications/progress",
            fmt::format(R"({{"progressToken":{},"progress":{},"total":{},"message":"step {}"}})",
                        what.token, what.steps_done, what.outcome.steps, what.steps_done)));
    }
    if (what.steps_done == what.outcome.steps) {
      send_(jsonrpc::make_result(what.id, result_of(what.outcome)));
      return true;
    }
  }
  return false;
}

std::optional<demo_server::clock::time_point> demo_server::next_due() const {
  std::optional<clock::time_point> soonest;
  for (const auto& each : running_)
    if (each.outcome.answers && (!soonest || each.due < *soonest))
      soonest = each.due;
  return soonest;
}

void demo_server::run_due(clock::time_point now) {
  std::erase_if(running_, [&](auto& each) { return each.outcome.answers && step(each, now); });
}

} // namespace troupe::demo
