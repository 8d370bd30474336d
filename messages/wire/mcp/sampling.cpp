#include "messages/wire/mcp/sampling.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "messages/chat/message_layout.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/mcp/content.hpp"
#include "messages/wire/mcp/content_files.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view sampling_create_method = "sampling/createMessage";

/// The members of one content part that content.hpp does not read.
struct part_members {
  std::string_view type;
  std::string_view id;
  std::string_view name;
  std::string_view input;
  std::string_view tool_use_id;
  std::string_view content;
};

/// Reads the messages: a message of a server becomes one for the model, and one more for each tool
/// result in it.
class message_reader {
public:
  explicit message_reader(std::vector<chat_message>& out) : out_{out} {}

  failure read(std::string_view message, size_t index);

  /// Returns a failure for a tool use without a result; providers refuse such a history.
  failure unanswered() const;

private:
  failure read_part(std::string_view part, piece_collector& texts);
  failure read_tool_use(const part_members& in);
  failure read_tool_result(const part_members& in);

  failure fault(std::string_view what) const {
    return broken(sampling_create_method, fmt::format("{}{}", place_, what));
  }

  std::vector<chat_message>& out_;
  std::string place_;
  chat_message message_;
  bool has_parts_ = false;        ///< of the message, other than tool results
  bool has_results_ = false;      ///< of the message
  std::vector<std::string> open_; ///< ids of tool uses without result
};

failure message_reader::read(std::string_view text, size_t index) {
  std::string_view who, content;
  read_members(text, {{"role", &who}, {"content", &content}});
  place_ = fmt::format("messages[{}]", index);
  message_ = {};
  has_parts_ = has_results_ = false;
  auto name = json_string(who);
  if (name != "user" && name != "assistant")
    return fault(".role is neither \"user\" nor \"assistant\"");
  message_.who = name == "user" ? role::user : role::assistant;
  piece_collector texts{message_.text, message_.files};
  auto next = [&](std::string_view part, size_t) { return read_part(part, texts); };
  auto bad = kind_of(content) == json_kind::array
                 ? read_array(sampling_create_method, "content", content, next)
                 : read_part(content, texts);
  texts.end();
  if (bad)
    return bad;
  if (has_parts_ && has_results_)
    return fault(" mixes tool results with other content");
  if (!has_results_)
    out_.push_back(std::move(message_));
  return {};
}

failure message_reader::read_part(std::string_view part, piece_collector& texts) {
  part_members in;
  read_members(part, {{"type", &in.type},
                      {"id", &in.id},
                      {"name", &in.name},
                      {"input", &in.input},
                      {"toolUseId", &in.tool_use_id},
                      {"content", &in.content}});
  auto type = json_string(in.type);
  if (type == "tool_result")
    return read_tool_result(in);
  // The results must come before any other part.
  if (auto bad = has_parts_ ? failure{} : unanswered())
    return bad;
  has_parts_ = true;
  if (type == "tool_use")
    return read_tool_use(in);
  if (message_.who == role::user && append_file(part, message_.files))
    return {};
  content_text read;
  auto missing = read_content(part, read);
  texts.line(read.text);
  return missing.empty() ? failure{} : fault(fmt::format(".content has no {}", missing));
}

failure message_reader::read_tool_use(const part_members& in) {
  if (message_.who != role::assistant)
    return fault(" is a user's and uses a tool");
  if (json_string(in.id).empty() || json_string(in.name).empty())
    return fault(" has a tool_use without id or name");
  if (!is_nothing(in.input) && kind_of(in.input) != json_kind::object)
    return fault(" has a tool_use whose input is no object");
  message_.tool_calls.push_back({json_string(in.id), json_string(in.name),
                                 std::string{is_nothing(in.input) ? "{}" : in.input}});
  open_.push_back(json_string(in.id));
  return {};
}

failure message_reader::read_tool_result(const part_members& in) {
  auto id = json_string(in.tool_use_id);
  auto asked = std::find(open_.begin(), open_.end(), id);
  if (message_.who != role::user || asked == open_.end())
    return fault(" has a tool_result that no tool use before it asked for");
  open_.erase(asked);
  has_results_ = true;
  chat_message result;
  result.who = role::tool;
  result.tool_call_id = std::move(id);
  failure bad;
  for_each_element(in.content, [&](std::string_view part) {
    content_text read;
    if (auto missing = read_content(part, read); !missing.empty())
      bad = fault(fmt::format(".content has no {}", missing));
    result.text += (result.text.empty() ? "" : "\n") + read.text;
    return !bad;
  });
  out_.push_back(std::move(result));
  return bad;
}

failure message_reader::unanswered() const {
  if (open_.empty())
    return {};
  return broken(sampling_create_method,
                fmt::format("the tool use \"{}\" has no result", open_.front()));
}

failure read_tool(std::string_view text, size_t index, tool_definition& out) {
  std::string_view name, description, schema;
  read_members(text, {{"name", &name}, {"description", &description}, {"inputSchema", &schema}});
  out.name = json_string(name);
  out.description = json_string(description);
  out.input_schema = schema;
  if (out.name.empty() || kind_of(schema) != json_kind::object)
    return broken(sampling_create_method,
                  fmt::format("tools[{}] has no name or no inputSchema", index));
  return {};
}

failure read_tools(std::string_view tools, std::string_view choice, sampling_request& out) {
  std::string_view mode;
  read_members(choice, {{"mode", &mode}});
  if (is_nothing(tools) || json_string(mode) == "none")
    return {};
  return read_array(sampling_create_method, "tools", tools,
                    [&](std::string_view text, size_t index) {
                      return read_tool(text, index, out.tools.emplace_back());
                    });
}

/// Returns the members of the model's request that correspond to members of the server's request.
std::string model_parameters(std::string_view temperature, std::string_view stops,
                             std::string_view choice) {
  std::string_view mode;
  read_members(choice, {{"mode", &mode}});
  json_buffer out;
  const auto member = [&out](std::string_view key, std::string_view value) {
    append_raw(out, out.size() == 0 ? "{\"" : ",\"");
    append_raw(out, key);
    append_raw(out, "\":");
    append_raw(out, value);
  };
  if (kind_of(temperature) == json_kind::number)
    member("temperature", temperature);
  if (kind_of(stops) == json_kind::array && stops != "[]")
    member("stop", stops);
  if (json_string(mode) == "required")
    member("tool_choice", "\"required\"");
  if (out.size() > 0)
    out.push_back('}');
  return std::string{view(out)};
}

void read_hints(std::string_view preferences, std::vector<std::string>& out) {
  std::string_view hints;
  read_members(preferences, {{"hints", &hints}});
  for_each_element(hints, [&](std::string_view hint) {
    std::string_view name;
    read_members(hint, {{"name", &name}});
    if (kind_of(name) == json_kind::string)
      out.push_back(json_string(name));
    return true;
  });
}

std::string_view stop_reason(const chat_message& answer, finish_reason why) {
  if (why == finish_reason::length)
    return "maxTokens";
  return answer.tool_calls.empty() ? "endTurn" : "toolUse";
}

void append_text(json_buffer& out, std::string_view text) {
  json_object{out}.member("type", "text").member("text", text);
}

void append_tool_uses(json_buffer& out, const chat_message& answer) {
  json_array all{out};
  if (!answer.text.empty())
    append_text(all.next(), answer.text);
  for (const auto& each : answer.tool_calls)
    all.object()
        .member("type", "tool_use")
        .member("id", each.id)
        .member("name", each.name)
        .raw("input", each.arguments.empty() ? "{}" : std::string_view{each.arguments});
}

} // namespace

failure parse(std::string_view params, sampling_request& out) {
  json_source source{params};
  if (auto bad = check_object(sampling_create_method, source))
    return bad;
  std::string_view messages, preferences, system, max_tokens, temperature, stops, tools, choice;
  read_members(source.root(), {{"messages", &messages},
                               {"modelPreferences", &preferences},
                               {"systemPrompt", &system},
                               {"maxTokens", &max_tokens},
                               {"temperature", &temperature},
                               {"stopSequences", &stops},
                               {"tools", &tools},
                               {"toolChoice", &choice}});
  out = {};
  auto tokens = integer_of(max_tokens);
  if (!tokens || *tokens < 1 || *tokens > std::numeric_limits<uint32_t>::max())
    return broken(sampling_create_method, "maxTokens is no whole number from 1 to 4294967295");
  out.max_tokens = static_cast<uint32_t>(*tokens);
  if (!json_string(system).empty())
    out.messages.push_back({role::system, json_string(system), {}, {}, {}});
  read_hints(preferences, out.model_hints);
  out.parameters = model_parameters(temperature, stops, choice);
  message_reader reader{out.messages};
  auto next = [&](std::string_view text, size_t index) { return reader.read(text, index); };
  if (auto bad = read_array(sampling_create_method, "messages", messages, next))
    return bad;
  if (auto bad = reader.unanswered())
    return bad;
  return read_tools(tools, choice, out);
}

std::string sampling_result(std::string_view model, const chat_message& answer, finish_reason why) {
  return json_text([&](json_object& out) {
    auto& content = out.member("role", "assistant").key("content");
    if (answer.tool_calls.empty())
      append_text(content, answer.text);
    else
      append_tool_uses(content, answer);
    out.member("model", model).member("stopReason", stop_reason(answer, why));
  });
}

} // namespace troupe::mcp
