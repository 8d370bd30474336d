#include "messages/wire/gemini/gemini_contents.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "messages/wire/gemini/gemini_files.hpp"
#include "messages/wire/gemini/gemini_kept_parts.hpp"
#include "messages/wire/gemini/gemini_names.hpp"
#include "messages/wire/history/content_pieces.hpp"
#include "messages/wire/history/refused_turns.hpp"
#include "messages/wire/history/request_history.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

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

/// Writes contents: each message of one speaker behind another of the same goes into one content,
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
  auto kept =
      asked_.without_seals ? std::nullopt : kept_gemini_parts(message, model_name(asked_.model));
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
/// the user shows them behind it.
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
    return; // the history is repaired: each result is behind its call
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
