#include "messages/wire/anthropic/anthropic_messages.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "messages/utf8.hpp"
#include "messages/wire/anthropic/anthropic_sealed.hpp"
#include "messages/wire/history/call_ids.hpp"
#include "messages/wire/history/content_pieces.hpp"
#include "messages/wire/history/model_file.hpp"
#include "messages/wire/provider/earlier_reasoning.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

// -- anthropic sealed reasoning -------------------------------------------------------------------

namespace {

/// Calls that the provider ran, by their ids, until their results come.
using provider_calls = std::map<std::string_view, anthropic_sealed_block*>;

anthropic_sealed_blocks sealed_of(const chat_message& message, const model_request& asked) {
  if (asked.without_sealed_reasoning || message.provider_metadata.empty())
    return {};
  return anthropic_sealed(message, model_name(asked.model),
                          asked.model.reasoning != reasoning_policy::strip);
}

void pair_blocks(anthropic_sealed_block& block, provider_calls& pending) {
  if (!block.call.empty()) {
    block.stands = false;
    pending[block.call] = &block;
  } else if (!block.answers.empty()) {
    const auto call = pending.find(block.answers);
    block.stands = call != pending.end();
    if (!block.stands)
      return;
    call->second->stands = true;
    pending.erase(call);
  }
}

bool is_in(const anthropic_sealed_block& block, const anthropic_sealed_blocks& list) {
  return std::ranges::any_of(list, [&block](const auto& each) { return &each == &block; });
}

/// Returns the blocks of each message of the history; none for messages that are not answers of the
/// model that is asked. A call of the provider and its result may stand in two answers; one without
/// the other does not stand, but for a call in the last answer, as long as the user says nothing
/// after it: the provider paused there, or a program that it runs waits for results of ours.
std::vector<anthropic_sealed_blocks> anthropic_sealed_reasoning(const model_request& asked,
                                                                const request_history& history) {
  std::vector<anthropic_sealed_blocks> sealed(history.size());
  size_t open_answer = 0; // a user comes first, so 0 is none
  provider_calls pending;
  for (size_t i = 0; i < history.size(); ++i) {
    if (history[i].who == role::user)
      open_answer = 0;
    if (history[i].who != role::assistant)
      continue;
    open_answer = i;
    sealed[i] = sealed_of(history[i], asked);
    for (auto& each : sealed[i])
      pair_blocks(each, pending);
  }
  if (open_answer > 0)
    for (const auto& [id, call] : pending)
      call->stands = is_in(*call, sealed[open_answer]);
  return sealed;
}

/// Returns whether the provider paused in the last answer: it ends with a block of its own, which
/// can stand there.
bool anthropic_paused(const model_request& asked) {
  if (asked.history.empty() || asked.history.back().who != role::assistant ||
      !asked.history.back().tool_calls.empty())
    return false;
  const auto& last = asked.history.back();
  if (!asked.without_sealed_reasoning &&
      has_anthropic_pause(last.provider_metadata, model_name(asked.model)))
    return true;
  const auto sealed = sealed_of(last, asked);
  if (sealed.empty() || !sealed.back().is_of_provider())
    return false;
  const auto& wanted = sealed.back().answers;
  return wanted.empty() ||
         std::ranges::find(sealed, wanted, &anthropic_sealed_block::call) != sealed.end();
}

// -- anthropic parts ------------------------------------------------------------------------------

constexpr size_t max_title_bytes = 200;

/// Appends {"type":"text","text":...}.
void append_anthropic_text(json_buffer& out, std::string_view text) {
  append_raw(out, R"({"type":"text","text":)");
  append_json(out, text);
  out.push_back('}');
}

/// Returns whether the file can go as it is: Anthropic fetches from https: only.
bool takes_anthropic_file(const model_file& file) noexcept {
  return file.is_taken() && !file.url.starts_with("http:");
}

/// Appends an image or a document that takes_anthropic_file().
void append_anthropic_file(json_buffer& out, const model_file& file, const message_file& from) {
  append_raw(out, file.is_image ? R"({"type":"image","source":{"type":)"
                                : R"({"type":"document","source":{"type":)");
  if (file.type().empty()) {
    append_raw(out, R"("url","url":)");
    append_json(out, file.url);
  } else {
    append_raw(out, R"("base64","media_type":)");
    append_json(out, file.type());
    append_raw(out, R"(,"data":)");
    append_json(out, file.data());
  }
  out.push_back('}');
  if (file.is_document && !lacks_text(from.filename)) {
    append_raw(out, R"(,"title":)");
    append_json(out, utf8_prefix(from.filename, max_title_bytes));
  }
  out.push_back('}');
}

/// Appends such a file, or for any other a text that names it.
void append_anthropic_file_or_note(json_buffer& out, const model_file& file,
                                   const message_file& from) {
  if (takes_anthropic_file(file))
    append_anthropic_file(out, file, from);
  else
    append_anthropic_text(out, fmt::format("[{} at {}; this model takes files from https: only]",
                                           file.is_image ? "image" : "document", from.url));
}

// -- anthropic messages ---------------------------------------------------------------------------

constexpr std::string_view nothing_said = "(The user has said nothing yet.)";

void insert(json_buffer& into, size_t at, std::string_view text) {
  const auto behind = into.size() - at;
  into.resize(into.size() + text.size());
  std::memmove(into.data() + at + text.size(), into.data() + at, behind);
  std::memcpy(into.data() + at, text.data(), text.size());
}

/// Writes messages block by block; neighbours of one role become one message.
class message_writer {
public:
  message_writer(json_buffer& out, const model_request& asked, const request_history& history)
      : out_{out}, history_{history}, files_{files_of(asked.model)}, policy_{reasoning_policy_of(
                                                                         asked.model)},
        wants_reasoning_{asked.model.lessons.wants_earlier_reasoning()},
        sealed_{anthropic_sealed_reasoning(asked, history)} {}

  anthropic_messages_facts write();
  void mark();

private:
  void begin(role who);
  void begin_answer(bool is_thought);
  void user(const chat_message& message);
  void answer(const chat_message& message, const anthropic_sealed_blocks& sealed);
  void thought(const chat_message& message, bool says_something);
  void anew(const chat_message& message);
  void result(const chat_message& message);
  void flush_files();

  json_buffer& out_;
  const request_history& history_;
  file_kinds files_;
  reasoning_policy policy_;
  bool wants_reasoning_;                        ///< the server has refused a history without
  std::vector<anthropic_sealed_blocks> sealed_; ///< of each message
  std::set<std::string_view> called_;
  role open_ = role::system; ///< whose message is being written; system: none
  std::vector<size_t> ends_; ///< last byte of each message of the user
  std::vector<const chat_message*> failed_with_files_;
  bool has_results_ = false; ///< the open message begins with results
  bool in_loop_ = false;     ///< after the user's last words came an answer
  bool loop_has_thoughts_ = true;
};

/// Begins a block of a message of `who`.
void message_writer::begin(role who) {
  if (open_ == who) {
    out_.push_back(',');
    return;
  }
  if (open_ != role::system)
    append_raw(out_, "]},");
  append_raw(out_, who == role::user ? R"({"role":"user","content":[)"
                                     : R"({"role":"assistant","content":[)");
  open_ = who;
  has_results_ = false;
  if (who == role::user)
    ends_.push_back(0);
}

void message_writer::user(const chat_message& message) {
  if (open_ != role::user || !has_results_) // else the loop is still the last thing that was said
    in_loop_ = false;
  for_each_content_piece(
      message, files_,
      [this](std::string_view text) {
        begin(role::user);
        append_anthropic_text(out_, text);
      },
      [this](const model_file& file, const message_file& from) {
        begin(role::user);
        append_anthropic_file_or_note(out_, file, from);
      });
}

/// No message may end with a thought.
void message_writer::answer(const chat_message& message, const anthropic_sealed_blocks& sealed) {
  for (const auto& call : message.tool_calls)
    called_.insert(call.name);
  if (sealed.empty())
    return anew(message);
  std::vector<const anthropic_sealed_block*> kept;
  for (const auto& each : sealed)
    if (each.stands)
      kept.push_back(&each);
  while (!kept.empty() && kept.back()->is_thought())
    kept.pop_back();
  for (const auto* each : kept) {
    begin_answer(each->is_thought());
    append_raw(out_, each->json);
  }
}

/// Begins a block of an answer, and notes with what a loop of calls begins.
void message_writer::begin_answer(bool is_thought) {
  if (!std::exchange(in_loop_, true))
    loop_has_thoughts_ = is_thought;
  begin(role::assistant);
}

/// Begins an answer with its reasoning, which others than Anthropic do not seal.
void message_writer::thought(const chat_message& message, bool says_something) {
  if (!says_something || policy_ != reasoning_policy::all)
    return;
  const auto says_none = wants_reasoning_ && !message.tool_calls.empty();
  if (message.reasoning.empty() && !says_none)
    return;
  begin_answer(true);
  append_raw(out_, R"({"type":"thinking","thinking":)");
  append_json(out_, message.reasoning.empty() ? no_reasoning : message.reasoning);
  append_raw(out_, R"(,"signature":""})");
}

/// Writes an answer whose blocks are not known, or no longer true.
void message_writer::anew(const chat_message& message) {
  const auto text = text_with_notes(message, {});
  thought(message, !lacks_text(text) || !message.tool_calls.empty());
  if (!lacks_text(text)) {
    begin_answer(false);
    append_anthropic_text(out_, text);
  }
  for (const auto& call : message.tool_calls) {
    begin_answer(false);
    append_raw(out_, R"({"type":"tool_use","id":)");
    append_json(out_, call_id_for(call.id, anthropic_call_ids));
    append_raw(out_, R"(,"name":)");
    append_json(out_, call.name);
    append_raw(out_, R"(,"input":)");
    append_raw(out_, call.arguments.empty() ? std::string_view{"{}"} : call.arguments);
    out_.push_back('}');
  }
}

/// Beside is_error only text is taken: files of a failed result stand after all results.
void message_writer::result(const chat_message& message) {
  begin(role::user);
  has_results_ = true;
  json_buffer files;
  for (const auto& each : message.files) {
    model_file seen;
    read_file(each, files_, seen);
    if (!seen.is_taken() || message.failed)
      continue;
    files.push_back(',');
    append_anthropic_file_or_note(files, seen, each);
  }
  if (message.failed && !message.files.empty())
    failed_with_files_.push_back(&message);
  append_raw(out_, R"({"type":"tool_result","tool_use_id":)");
  append_json(out_, call_id_for(message.tool_call_id, anthropic_call_ids));
  append_raw(out_, R"(,"content":)");
  const auto text = text_with_notes(message, files_);
  if (files.size() == 0) {
    append_json(out_, text);
  } else {
    out_.push_back('[');
    append_anthropic_text(out_, text);
    append_raw(out_, view(files));
    out_.push_back(']');
  }
  append_raw(out_, message.failed ? R"(,"is_error":true})" : "}");
}

void message_writer::flush_files() {
  for (const auto* each : std::exchange(failed_with_files_, {}))
    for (const auto& file : each->files) {
      model_file seen;
      read_file(file, files_, seen);
      if (!seen.is_taken())
        continue;
      begin(role::user);
      append_anthropic_file_or_note(out_, seen, file);
    }
}

anthropic_messages_facts message_writer::write() {
  out_.push_back('[');
  for (size_t i = 0; i < history_.size(); ++i) {
    const auto& message = history_[i];
    if (message.who != role::tool)
      flush_files();
    if (message.who == role::user)
      user(message);
    else if (message.who == role::tool)
      result(message);
    else
      answer(message, sealed_[i]);
    if (open_ == role::user)
      ends_.back() = out_.size() - 1;
  }
  flush_files();
  if (open_ == role::system) { // a request has to say something
    begin(role::user);
    append_anthropic_text(out_, nothing_said);
  }
  if (open_ == role::user)
    ends_.back() = out_.size() - 1;
  append_raw(out_, "]}]");
  return {{called_.begin(), called_.end()}, in_loop_ && !loop_has_thoughts_};
}

/// From behind, so that places stay true.
void message_writer::mark() {
  for (size_t n = 0; n < 2 && n < ends_.size(); ++n)
    insert(out_, ends_[ends_.size() - 1 - n], anthropic_cache_mark);
}

} // namespace

history_rules anthropic_history_rules(const model_request& asked) {
  return {.begins_with_user = true,
          .alternates = false,
          .answers_results = false,
          .ends_with_user = !anthropic_paused(asked),
          .keeps_sealed_reasoning = true,
          .shown_by_user = {}};
}

anthropic_messages_facts append_anthropic_messages(json_buffer& out, const model_request& asked,
                                                   const request_history& history, bool marks) {
  message_writer writer{out, asked, history};
  auto facts = writer.write();
  if (marks)
    writer.mark();
  return facts;
}

} // namespace troupe
