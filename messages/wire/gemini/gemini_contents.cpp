#include "messages/wire/gemini/gemini_contents.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "messages/chat/chat_message.hpp"
#include "messages/wire/gemini/gemini_chunk.hpp"
#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/gemini/gemini_parts.hpp"
#include "messages/wire/history/content_pieces.hpp"
#include "messages/wire/history/media_type.hpp"
#include "messages/wire/history/model_file.hpp"
#include "messages/wire/history/refused_turns.hpp"
#include "messages/wire/history/request_history.hpp"
#include "messages/wire/history/sealed_blocks.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

// -- gemini kept parts ----------------------------------------------------------------------------

/// The parts that gemini_parts kept, and how their calls are known to the model.
struct gemini_kept_parts {
  std::string list;                  ///< JSON, without the brackets; never empty
  std::vector<std::string> call_ids; ///< of each call, as JSON; "" where the model gave none
  bool calls_are_signed = true;      ///< the first call has its signature, or there is no call
};

namespace {

/// Compares kept parts with a message.
class comparison {
public:
  explicit comparison(const chat_message& message) : message_{message} {}

  /// Returns whether the part is in the message.
  bool read(std::string_view json) {
    const auto part = read_gemini_part(json);
    if (!part.call.empty())
      return read_call(part);
    if (!part.other.empty())
      add_gemini_kind(kinds_, json, part.other);
    else if (!part.is_thought)
      text_ += json_string(part.text);
    return true;
  }

  /// Returns whether nothing of the message is missing in the parts.
  bool is_complete() const {
    const auto all = text_.empty() && ids_.empty() ? gemini_note(kinds_) : text_;
    return all == message_.text && ids_.size() == message_.tool_calls.size();
  }

  std::vector<std::string>& ids() { return ids_; }
  bool is_signed() const { return signed_; }

private:
  bool read_call(const gemini_part& part) {
    std::string_view id, name;
    read_members(part.call, {{"id", &id}, {"name", &name}});
    if (ids_.size() == message_.tool_calls.size())
      return false;
    signed_ = ids_.empty() ? !part.signature.empty() : signed_;
    const auto& call = message_.tool_calls[ids_.size()];
    ids_.emplace_back(is_nothing(id) ? std::string_view{} : id);
    return tool_name_of_gemini(json_string(name)) == call.name &&
           (is_nothing(id) || json_string(id) == call.id);
  }

  const chat_message& message_;
  std::string text_;
  std::string kinds_;
  std::vector<std::string> ids_;
  bool signed_ = true;
};

} // namespace

/// Returns the parts of the message's answer; nothing where none were kept, another model made
/// them, or they no longer say what the message says: somebody changed its text or its calls.
std::optional<gemini_kept_parts> kept_gemini_parts(const chat_message& message,
                                                   std::string_view model) {
  if (message.provider_metadata.empty() || !message.files.empty())
    return std::nullopt;
  const auto blocks = sealed_blocks(message.provider_metadata, "gemini", model);
  const json_source source{blocks};
  const auto list = source.root();
  if (list.size() <= 2)
    return std::nullopt;
  comparison compared{message};
  const auto matches =
      for_each_element(list, [&](std::string_view each) { return compared.read(each); });
  if (!matches || !compared.is_complete())
    return std::nullopt;
  return gemini_kept_parts{std::string{list.substr(1, list.size() - 2)}, std::move(compared.ids()),
                           compared.is_signed()};
}

// -- gemini files ---------------------------------------------------------------------------------

namespace {

constexpr std::string_view gif_type = "image/gif";
constexpr std::string_view own_mp3_type = "audio/mp3"; ///< as its documentation names it

/// Returns the type of a file that lies elsewhere; "" if it is not to be seen.
std::string type_of(const model_file& file, const message_file& from) {
  auto type = plain_media_type(from.media_type);
  return is_vague(type) ? std::string{media_type_of_path(file.url)} : type;
}

/// Appends a part with the file: inlineData with its bytes, or fileData with its address.
/// @param from the message's own
/// @return false, and appends nothing, for a file that Gemini does not read: a GIF
bool append_gemini_file(json_buffer& out, const model_file& file, const message_file& from) {
  const auto is_inline = !file.type().empty();
  auto type = is_inline ? std::string{file.type()} : type_of(file, from);
  if (type == mp3_type)
    type = own_mp3_type;
  if (type == gif_type)
    return false;
  append_raw(out, is_inline ? R"({"inlineData":{)" : R"({"fileData":{)");
  if (!type.empty()) {
    append_raw(out, R"("mimeType":)");
    append_json(out, type);
    out.push_back(',');
  }
  append_raw(out, is_inline ? R"("data":)" : R"("fileUri":)");
  append_json(out, is_inline ? file.data() : file.url);
  append_raw(out, "}}");
  return true;
}

// -- gemini contents ------------------------------------------------------------------------------

/// Stands for the signature of a call that Gemini did not make.
constexpr std::string_view no_signature =
    R"(,"thoughtSignature":"skip_thought_signature_validator")";

void append_text_part(json_buffer& out, std::string_view text) {
  append_raw(out, R"({"text":)");
  append_json(out, text);
  out.push_back('}');
}

/// Appends a file inside of a result, where only its bytes are taken. Returns whether it did.
bool append_result_file(json_buffer& out, const model_file& file, const message_file& from) {
  return !file.type().empty() && !file.is_audio && append_gemini_file(out, file, from);
}

/// Writes contents: each message of one speaker after another of the same goes into one content,
/// but results stand apart from what the user says.
class contents_writer {
public:
  contents_writer(json_buffer& out, const model_request& asked, const gemini_family& family)
      : out_{out}, asked_{asked}, family_{family}, taken_{files_of(asked.model)} {}

  void add(const chat_message& message);
  void add_text(role who, std::string_view text);
  void end();

private:
  void enter(role who);
  void begin_part();
  void add_user(const chat_message& message);
  void add_answer(const chat_message& message);
  void add_calls(const chat_message& message);
  void add_result(const chat_message& message);
  void add_result_files(const chat_message& message);
  std::string result_text(const chat_message& message) const;

  json_buffer& out_;
  const model_request& asked_;
  const gemini_family& family_;
  const file_kinds taken_;
  bool begun_ = false;
  bool has_parts_ = false;
  role last_ = role::system;
  const chat_message* calls_ = nullptr; ///< the message whose results follow
  std::vector<std::string> call_ids_;   ///< of its calls, as JSON; "" where they have none
};

void contents_writer::enter(role who) {
  if (begun_ && who == last_)
    return;
  end();
  append_raw(out_, begun_ ? R"(,{"role":)" : R"({"role":)");
  append_raw(out_, who == role::assistant ? R"("model","parts":[)" : R"("user","parts":[)");
  begun_ = true;
  has_parts_ = false;
  last_ = who;
}

void contents_writer::end() {
  if (begun_)
    append_raw(out_, "]}");
}

void contents_writer::begin_part() {
  if (has_parts_)
    out_.push_back(',');
  has_parts_ = true;
}

void contents_writer::add(const chat_message& message) {
  if (message.who == role::user)
    add_user(message);
  else if (message.who == role::assistant)
    add_answer(message);
  else if (message.who == role::tool)
    add_result(message);
}

void contents_writer::add_text(role who, std::string_view text) {
  enter(who);
  begin_part();
  append_text_part(out_, text);
}

void contents_writer::add_user(const chat_message& message) {
  enter(role::user);
  for_each_content_piece(
      message, taken_, [this](std::string_view text) { add_text(role::user, text); },
      [this](const model_file& file, const message_file& from) {
        begin_part();
        if (!append_gemini_file(out_, file, from))
          append_text_part(out_, file_note(from));
      });
}

void contents_writer::add_answer(const chat_message& message) {
  enter(role::assistant);
  calls_ = &message;
  call_ids_.clear();
  auto kept = asked_.without_sealed_reasoning
                  ? std::nullopt
                  : kept_gemini_parts(message, model_name(asked_.model));
  if (kept && (kept->calls_are_signed || !family_.has_levels())) {
    begin_part();
    append_raw(out_, kept->list);
    call_ids_ = std::move(kept->call_ids);
    return;
  }
  const auto text = text_with_notes(message, taken_);
  if (!lacks_text(text))
    add_text(role::assistant, text);
  add_calls(message);
}

void contents_writer::add_calls(const chat_message& message) {
  for (const auto& call : message.tool_calls) {
    begin_part();
    append_raw(out_, R"({"functionCall":{"name":)");
    append_json(out_, gemini_tool_name(call.name));
    append_raw(out_, R"(,"args":)");
    append_raw(out_, call.arguments.empty() ? std::string_view{"{}"} : call.arguments);
    out_.push_back('}');
    if (family_.has_levels() && &call == &message.tool_calls.front())
      append_raw(out_, no_signature);
    out_.push_back('}');
  }
}

/// Files that a result cannot hold are told in its text; of models that take none inside of results
/// the user shows them after it.
std::string contents_writer::result_text(const chat_message& message) const {
  auto text = text_with_notes(message, taken_);
  if (!family_.has_levels())
    return text;
  for (const auto& each : message.files) {
    model_file seen;
    json_buffer written;
    read_file(each, taken_, seen);
    if (!seen.is_taken() || append_result_file(written, seen, each))
      continue;
    text.append(text.empty() ? "" : "\n").append(file_note(each));
    if (seen.type().empty())
      text.append(" ").append(seen.url);
  }
  return text;
}

void contents_writer::add_result_files(const chat_message& message) {
  auto first = true;
  for (const auto& each : message.files) {
    model_file seen;
    json_buffer written;
    read_file(each, taken_, seen);
    if (!seen.is_taken() || !append_result_file(written, seen, each))
      continue;
    append_raw(out_, first ? R"(,"parts":[)" : ",");
    append_raw(out_, view(written));
    first = false;
  }
  if (!first)
    out_.push_back(']');
}

void contents_writer::add_result(const chat_message& message) {
  if (calls_ == nullptr)
    return; // the history is repaired: each result is after its call
  const auto& calls = calls_->tool_calls;
  const auto call = std::ranges::find(calls, message.tool_call_id, &tool_call::id);
  if (call == calls.end())
    return;
  const auto place = static_cast<size_t>(call - calls.begin());
  enter(role::tool);
  begin_part();
  append_raw(out_, R"({"functionResponse":{"name":)");
  append_json(out_, gemini_tool_name(call->name));
  if (place < call_ids_.size() && !call_ids_[place].empty()) {
    append_raw(out_, R"(,"id":)");
    append_raw(out_, call_ids_[place]);
  }
  append_raw(out_, message.failed ? R"(,"response":{"error":)" : R"(,"response":{"output":)");
  append_json(out_, result_text(message));
  out_.push_back('}');
  if (family_.has_levels())
    add_result_files(message);
  append_raw(out_, "}}");
}

std::string joined(std::string_view system, std::string_view demand) {
  auto text = std::string{system};
  if (!text.empty() && !demand.empty())
    text += "\n\n";
  return text.append(demand);
}

} // namespace

void append_gemini_contents(json_buffer& out, const model_request& asked,
                            const gemini_family& family, const gemini_system& system) {
  const auto kept = without_refused_turns(asked.history);
  const request_history messages{
      kept ? *kept : asked.history,
      asked.system,
      {.begins_with_user = true,
       .alternates = false,
       .answers_results = false,
       .ends_with_user = true,
       .shown_by_user = family.has_levels() ? file_kinds{} : files_of(asked.model)}};
  const auto told = system.is_sent ? joined(messages.system(), system.demand) : std::string{};
  const auto by_user = family.is_gemma || messages.size() == 0; // it takes no systemInstruction
  if (!told.empty() && !by_user) {
    append_raw(out, R"("systemInstruction":{"parts":[)");
    append_text_part(out, told);
    append_raw(out, "]},");
  }
  append_raw(out, R"("contents":[)");
  contents_writer contents{out, asked, family};
  if (!told.empty() && by_user)
    contents.add_text(role::user, told);
  for (size_t i = 0; i < messages.size(); ++i)
    contents.add(messages[i]);
  contents.end();
  out.push_back(']');
}

} // namespace troupe
