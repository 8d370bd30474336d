#include "messages/wire/clients/responses/response_input.hpp"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "messages/wire/clients/content_parts.hpp"
#include "messages/wire/clients/message_list.hpp"
#include "messages/wire/clients/request_members.hpp"
#include "messages/wire/clients/responses/item_id.hpp"
#include "messages/wire/clients/sent_files.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- response parts -------------------------------------------------------------------------------

namespace {

/// The members of parts of all kinds.
struct part_members {
  std::string type;
  std::string_view text, refusal, image_url, detail, file_data, file_url, filename, file_id, audio;

  explicit part_members(std::string_view part) {
    std::string_view kind;
    read_members(part, {{"type", &kind},
                        {"text", &text},
                        {"refusal", &refusal},
                        {"image_url", &image_url},
                        {"detail", &detail},
                        {"file_data", &file_data},
                        {"file_url", &file_url},
                        {"filename", &filename},
                        {"file_id", &file_id},
                        {"input_audio", &audio}});
    type = json_string(kind);
  }
};

failure read_part(std::string_view part, const std::string& place, chat_message& out,
                  piece_collector& texts) {
  if (kind_of(part) != json_kind::object)
    return invalid_request(place + " must be an object");
  const part_members in{part};
  if (in.type == "input_text" || in.type == "output_text" || in.type == "text") {
    texts.text(json_string(in.text));
    return {};
  }
  if (in.type == "refusal") {
    texts.text(json_string(in.refusal));
    return {};
  }
  if (!is_nothing(in.file_id))
    return add_stored_file(json_string(in.file_id), json_string(in.filename), place + ".file_id",
                           out);
  if (in.type == "input_image")
    return add_image(json_string(in.image_url), json_string(in.detail), place + ".image_url", out);
  if (in.type == "input_file" && !is_nothing(in.file_url))
    return add_linked_file(json_string(in.file_url), json_string(in.filename), place + ".file_url",
                           out);
  if (in.type == "input_file")
    return add_file(json_string(in.file_data), json_string(in.filename), place + ".file_data", out);
  if (in.type == "input_audio")
    return add_audio(in.audio, place + ".input_audio", out);
  return invalid_request(place + " must be an input_text, an input_image, an input_file or an "
                                 "input_audio");
}

/// Reads content into text and files of `out`: input_text, output_text, refusal, input_image with a
/// URL, input_file with `file_data` (a data: URL) or `file_url`, and input_audio.
/// @param place where the content is, for errors @return request_invalid, or no error
failure read_response_parts(std::string_view content, const std::string& place, chat_message& out) {
  if (kind_of(content) == json_kind::string) {
    out.text = json_string(content);
    return {};
  }
  if (kind_of(content) != json_kind::array)
    return invalid_request(place + " must be a string or an array of parts");
  return read_part_list(content, place, out,
                        [&out](std::string_view part, const std::string& at,
                               piece_collector& texts) { return read_part(part, at, out, texts); });
}

// -- response input -------------------------------------------------------------------------------

/// The members of items of all kinds.
struct item_members {
  std::string_view type, role, content, id, call_id, name, arguments, input, output, error, summary,
      extra, name_space, tools;

  explicit item_members(std::string_view item) {
    read_members(item, {{"type", &type},
                        {"role", &role},
                        {"content", &content},
                        {"id", &id},
                        {"call_id", &call_id},
                        {"name", &name},
                        {"arguments", &arguments},
                        {"input", &input},
                        {"output", &output},
                        {"error", &error},
                        {"summary", &summary},
                        {"extra_content", &extra},
                        {"namespace", &name_space},
                        {"tools", &tools}});
  }
};

std::optional<role> speaker_of(std::string_view slice) {
  const auto name = json_string(slice);
  if (name == "user")
    return role::user;
  if (name == "assistant")
    return role::assistant;
  return name == "system" || name == "developer" ? std::optional{role::system} : std::nullopt;
}

/// Returns the texts of parts, apart by blank lines.
std::string texts_of(std::string_view parts) {
  std::string joined;
  for_each_element(parts, [&joined](std::string_view part) {
    std::string_view text;
    read_members(part, {{"text", &text}});
    joined.append(joined.empty() ? "" : "\n\n").append(json_string(text));
    return true;
  });
  return joined;
}

class input_reader {
public:
  explicit input_reader(const response_input& out)
      : out_{out.messages}, tools_{out.tools}, items_{out.items} {}

  failure read(std::string_view item, const std::string& place) {
    if (kind_of(item) != json_kind::object)
      return invalid_request(place + " must be an object");
    const item_members in{item};
    const auto type = json_string(in.type);
    if (type == "message" || (type.empty() && !in.role.empty()))
      return read_message(in, place);
    if (type == "function_call" || type == "custom_tool_call")
      return read_call(in, place, type == "custom_tool_call");
    if (type == "function_call_output" || type == "custom_tool_call_output")
      return read_output(in, place);
    if (type == "mcp_call")
      return read_mcp_call(in, place);
    if (type == "item_reference")
      return read_reference(in, place);
    if (type == "additional_tools")
      return read_additional_tools(in.tools, place + ".tools", tools_);
    if (type == "reasoning")
      read_reasoning(in);
    return type.empty() ? invalid_request(place + " must have a type or a role") : failure{};
  }

private:
  /// Returns the answer that the items of one answer share.
  chat_message& answer() {
    if (!answers_) {
      out_.emplace_back().who = role::assistant;
      answers_ = true;
    }
    return out_.back();
  }

  failure read_message(const item_members& in, const std::string& place) {
    const auto who = speaker_of(in.role);
    if (!who)
      return invalid_request(place + ".role must be user, assistant, system or developer");
    chat_message read;
    read.who = *who;
    if (auto bad = read_response_parts(in.content, place + ".content", read))
      return bad;
    if (*who != role::assistant) {
      answers_ = false;
      out_.push_back(std::move(read));
      return {};
    }
    auto& into = answer();
    into.text.append(into.text.empty() || read.text.empty() ? "" : "\n\n").append(read.text);
    return {};
  }

  void read_reasoning(const item_members& in) {
    auto text = texts_of(in.content);
    if (text.empty())
      text = texts_of(in.summary);
    if (text.empty())
      return;
    auto& into = answer().reasoning;
    into.append(into.empty() ? "" : "\n\n").append(text);
  }

  failure add_call(tool_call call, const std::string& place) {
    if (call.id.empty() || call.name.empty())
      return invalid_request(place + " must have an id and a name");
    auto& calls = answer().tool_calls;
    if (calls.size() == max_message_calls)
      return invalid_request(place + " is one call too many: an answer may have 1024");
    if (!is_json_object(call.arguments))
      call.arguments = "{}"; // the model wrote invalid arguments; the call's result tells it
    calls.push_back(std::move(call));
    return {};
  }

  failure read_call(const item_members& in, const std::string& place, bool custom) {
    tool_call made{json_string(in.call_id), json_string(in.name), json_string(in.arguments)};
    if (const auto group = json_string(in.name_space); !group.empty())
      made.name = namespaced_tool_name(group, made.name);
    if (custom)
      made.arguments = R"({"input":)" + to_json(json_string(in.input)) + "}";
    if (kind_of(in.extra) == json_kind::object)
      made.provider_metadata = std::string{in.extra};
    return add_call(std::move(made), place);
  }

  failure read_output(const item_members& in, const std::string& place) {
    answers_ = false;
    auto& made = out_.emplace_back();
    made.who = role::tool;
    made.tool_call_id = json_string(in.call_id);
    if (made.tool_call_id.empty())
      return invalid_request(place + ".call_id must be a string that is not empty");
    return read_response_parts(in.output, place + ".output", made);
  }

  /// An item that is kept here stands for itself. In the first pass it is only noted.
  failure read_reference(const item_members& in, const std::string& place) {
    const auto id = json_string(in.id);
    const auto kept = place_of_item(id) ? kept_id_of(id) : std::string{};
    if (!kept.empty() && !referred_.insert(kept).second)
      return {}; // a call is named once more for its result, a text for each of its parts
    if (!kept.empty() && !items_.looked_up) {
      items_.wanted.push_back(kept);
      return {};
    }
    if (const auto item = items_.found.find(kept); item != items_.found.end())
      return read(json_source::unchecked(item->second).root(), place);
    return {errc::not_found, place + " refers to the item '" + id +
                                 "', which is not kept here (any more); send the item itself, or "
                                 "its response as previous_response_id"};
  }

  /// Clients may leave out what a call answered, as OpenAI has it.
  failure read_mcp_call(const item_members& in, const std::string& place) {
    const auto id = json_string(in.id);
    if (is_nothing(in.output) && is_nothing(in.error) && place_of_item(id)) {
      if (!items_.looked_up)
        items_.wanted.push_back(id);
      if (const auto item = items_.found.find(id); item != items_.found.end()) {
        const auto kept = json_source::unchecked(item->second);
        return read_whole_mcp_call(item_members{kept.root()}, place);
      }
    }
    return read_whole_mcp_call(in, place);
  }

  failure read_whole_mcp_call(const item_members& in, const std::string& place) {
    if (auto bad =
            add_call({json_string(in.id), json_string(in.name), json_string(in.arguments)}, place))
      return bad;
    chat_message result;
    result.who = role::tool;
    result.tool_call_id = json_string(in.id);
    result.failed = !is_nothing(in.error);
    result.text = json_string(result.failed ? in.error : in.output);
    answers_ = false;
    out_.push_back(std::move(result));
    return {};
  }

  std::vector<chat_message>& out_;
  response_tools& tools_;
  referred_items& items_;
  std::set<std::string> referred_;
  bool answers_ = false; ///< the last message is an answer that may go on
};

} // namespace

failure read_response_input(std::string_view input, const response_input& out) {
  if (kind_of(input) == json_kind::string) {
    out.messages.push_back(user_message(json_string(input)));
    return {};
  }
  if (kind_of(input) != json_kind::array)
    return invalid_request("input must be a string or an array of items");
  failure bad;
  size_t index = 0;
  input_reader reader{out};
  for_each_element(input, [&](std::string_view item) {
    bad = index == max_request_messages
              ? invalid_request("input must not have more than 10000 items")
              : reader.read(item, fmt::format("input[{}]", index++));
    return !bad;
  });
  return bad;
}

} // namespace troupe
