#include "messages/wire/mcp/jsonrpc.hpp"

#include <algorithm>

#include "messages/json.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/jsonrpc_peek.hpp"

namespace troupe::jsonrpc {

namespace {

constexpr size_t max_batch = 10'000;

/// The members of one message, as they stand in its text.
struct envelope {
  std::string_view version;
  std::string_view id;
  std::string_view method;
  std::string_view params;
  std::string_view result;
  std::string_view error;

  /// Takes a member; of a repeated key the last counts.
  void take(std::string_view key, std::string_view value) {
    if (key == "result")
      result = value;
    else if (key == "id")
      id = value;
    else if (key == "jsonrpc")
      version = value;
    else if (key == "method")
      method = value;
    else if (key == "params")
      params = value;
    else if (key == "error")
      error = value;
  }
};

void read_error(std::string_view error, response& out) {
  out.is_error = true;
  std::string_view code, text, data;
  const auto source = json_source::unchecked(error); // the bytes behind `error` may be anything
  read_members(source.root(), {{"code", &code}, {"message", &text}, {"data", &data}});
  out.error_code = integer_of(code).value_or(0);
  out.error_message = kind_of(error) == json_kind::string ? json_string(error) : json_string(text);
  out.error_data = data;
}

message read_call(const envelope& in) {
  if (kind_of(in.method) != json_kind::string)
    return malformed{"method must be a string"};
  auto params = is_nothing(in.params) ? std::string_view{} : in.params;
  auto kind = kind_of(params);
  if (kind != json_kind::absent && kind != json_kind::object && kind != json_kind::array)
    return malformed{"params must be an object or an array"};
  if (is_nothing(in.id))
    return notification{json_string(in.method), std::string{params}};
  if (kind_of(in.id) != json_kind::number && kind_of(in.id) != json_kind::string)
    return malformed{"id must be a number or a string"};
  return request{std::string{in.id}, json_string(in.method), std::string{params}};
}

/// Returns the request of ours that has this id; 0 if there can be none.
int64_t request_of(std::string_view id) {
  return std::max<int64_t>(id_of(id).value_or(0), 0);
}

message read_message(const envelope& in) {
  const auto id = in.method.empty() ? request_of(in.id) : 0;
  if (!in.version.empty() && json_string(in.version) != "2.0")
    return malformed{"jsonrpc must be \"2.0\"", id};
  if (!in.method.empty())
    return read_call(in);
  response out;
  out.id = id;
  out.anonymous = id == 0;
  if (!is_nothing(in.error))
    read_error(in.error, out);
  else if (!in.result.empty())
    out.result = in.result;
  else // without a version it may be anything, such as a line of a log
    return malformed{"a message must have method, result or error", in.version.empty() ? 0 : id};
  return out;
}

message read_element(std::string_view text) {
  if (kind_of(text) != json_kind::object)
    return malformed{"a message must be an object"};
  envelope in;
  for_each_member(text, [&in](std::string_view key, std::string_view value) {
    in.take(key, value);
    return true;
  });
  return read_message(in);
}

void show(message what, const message_visitor& visit) {
  visit(what);
}

/// Reads an array. All bad elements together give one `malformed`: a text of 16 MiB could hold
/// millions.
void read_batch(std::string_view batch, const message_visitor& visit) {
  bool reported = false;
  size_t read = 0;
  for_each_element(batch, [&](std::string_view element) {
    auto next = ++read > max_batch ? malformed{"the batch has more than 10000 messages"}
                                   : read_element(element);
    auto bad = std::holds_alternative<malformed>(next);
    if (!bad || !reported)
      visit(next);
    reported |= bad;
    return read <= max_batch;
  });
  if (read == 0)
    show(malformed{"the batch is empty"}, visit);
}

void begin(json_buffer& out, std::string_view id) {
  append_raw(out, R"({"jsonrpc":"2.0")");
  if (id.empty())
    return;
  append_raw(out, R"(,"id":)");
  append_raw(out, id);
}

/// Ends a message and puts it on one line, as stdio servers need it.
std::string end(json_buffer& out) {
  out.push_back('}');
  keep_on_one_line(out, 0);
  return std::string{view(out)};
}

std::string make_call(std::string_view id, std::string_view method, std::string_view params) {
  json_buffer out;
  begin(out, id);
  append_raw(out, R"(,"method":)");
  append_json(out, method);
  if (!params.empty()) {
    append_raw(out, R"(,"params":)");
    append_raw(out, params);
  }
  return end(out);
}

} // namespace

void for_each_message(std::string_view text, const message_visitor& visit) {
  envelope in;
  const auto fault = json_fault(text, [&in](std::string_view key, std::string_view value) {
    if (key.find('\\') == std::string_view::npos)
      in.take(key, value);
    else
      in.take(json_string({key.data() - 1, key.size() + 2}), value);
  });
  if (!fault.empty())
    return show(malformed{"not JSON: " + fault, broken_response(text)}, visit);
  const auto root = text.substr(text.find_first_not_of(" \t\r\n"));
  if (kind_of(root) == json_kind::array)
    read_batch(json_source::unchecked(root).root(), visit);
  else if (kind_of(root) == json_kind::object)
    show(read_message(in), visit);
  else
    show(malformed{"a message must be an object"}, visit);
}

std::vector<message> parse(std::string_view text) {
  std::vector<message> out;
  for_each_message(text, [&out](message& each) { out.push_back(std::move(each)); });
  return out;
}

std::string make_request(int64_t id, std::string_view method, std::string_view params) {
  return make_call(std::to_string(id), method, params);
}

std::string make_notification(std::string_view method, std::string_view params) {
  return make_call({}, method, params);
}

std::string make_result(std::string_view id, std::string_view result) {
  json_buffer out;
  begin(out, id.empty() ? "null" : id);
  append_raw(out, R"(,"result":)");
  append_raw(out, result.empty() ? "{}" : result);
  return end(out);
}

std::string make_error(std::string_view id, int64_t error_code, std::string_view text) {
  json_buffer out;
  begin(out, id.empty() ? "null" : id);
  append_raw(out, R"(,"error":{"code":)");
  append_json(out, error_code);
  append_raw(out, R"(,"message":)");
  append_json(out, text);
  out.push_back('}');
  return end(out);
}

} // namespace troupe::jsonrpc
