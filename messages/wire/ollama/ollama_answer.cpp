#include "messages/wire/ollama/ollama_answer.hpp"

#include <utility>

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/finish_words.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/repaired_json.hpp"
#include "messages/wire/provider/token_count.hpp"

namespace troupe {

// -- ollama line ----------------------------------------------------------------------------------

/// The parts of one line that the engine uses; a plain answer has the form of a line, too. All
/// views are JSON text inside the text that was read, empty if a part is missing or null.
struct ollama_line {
  bool is_answer = false; ///< there is a message, or `done`
  bool done = false;      ///< the last line
  std::string_view content;
  std::string_view thinking;
  std::string_view tool_calls;
  std::string_view done_reason;
  std::string_view error;        ///< the error that is told in place of an answer
  std::string_view input_count;  ///< tokens of the prompt, cached ones included
  std::string_view cached_count; ///< of these: taken from the cache
  std::string_view output_count; ///< tokens of the answer, thoughts included
};

namespace {

/// Reads a value as JSON text; null gives "".
std::string_view text_of(json_value value) {
  std::string_view text = value;
  return text == "null" ? std::string_view{} : text;
}

void read_message(json_value value, ollama_line& out) {
  if (value.kind() != json_kind::object)
    return;
  out.is_answer = true;
  value.for_each_member([&out](std::string_view key, json_value member) {
    if (key == "content")
      out.content = text_of(member);
    else if (key == "thinking")
      out.thinking = text_of(member);
    else if (key == "tool_calls")
      out.tool_calls = text_of(member);
    return true;
  });
}

void read_member(std::string_view key, json_value value, ollama_line& out) {
  if (key == "message") {
    read_message(value, out);
  } else if (key == "done") {
    const auto done = text_of(value);
    out.is_answer = out.is_answer || !done.empty();
    out.done = done == "true";
  } else if (key == "done_reason") {
    out.done_reason = text_of(value);
  } else if (key == "error") {
    const auto error = text_of(value);
    out.error = error == "\"\"" || error == "false" ? std::string_view{} : error;
  } else if (key == "prompt_eval_count") {
    out.input_count = text_of(value);
  } else if (key == "prompt_eval_cached_count") {
    out.cached_count = text_of(value);
  } else if (key == "eval_count") {
    out.output_count = text_of(value);
  }
}

} // namespace

/// Takes the object that `json` is apart.
/// @param json is followed by json_padding readable bytes
/// @return false when it is no JSON object, breaks off, or has more after it
bool read_ollama_line(std::string_view json, ollama_line& out) {
  std::string_view behind;
  const auto whole = for_each_member(
      json,
      [&out](std::string_view key, json_value value) {
        read_member(key, value, out);
        return true;
      },
      behind);
  return whole && behind.empty();
}

// -- ollama answer --------------------------------------------------------------------------------

namespace {

/// Errors after the head have no status. This one has it in the place of an answer.
uint16_t status_of(std::string_view error) {
  constexpr uint16_t overloaded = 503;
  return error.starts_with(R"("server busy)") ? overloaded : 200;
}

finish_reason meaning_of(std::string_view done_reason, bool has_content) {
  if (done_reason.empty() && has_content) // older servers give none
    return finish_reason::stop;
  return read_finish_word(finish_api::of_ollama, done_reason);
}

} // namespace

ollama_answer::ollama_answer(std::string id_prefix, bool starts_with_reasoning,
                             uint64_t context_tokens)
    : tags_(starts_with_reasoning), calls_(std::move(id_prefix)), context_tokens_{context_tokens} {}

failure ollama_answer::read(const answer_text& text, std::vector<event>& out) {
  ollama_line line;
  if (text.readable >= text.data.size() + json_padding && read_ollama_line(text.data, line))
    return take(line, out);
  const repaired_json copy{text.data};
  line = {};
  return read_ollama_line(copy.text(), line) ? take(line, out) : no_json(copy.text());
}

failure ollama_answer::take(const ollama_line& line, std::vector<event>& out) {
  if (!line.error.empty())
    return provider_error(status_of(line.error), fmt::format(R"({{"error":{}}})", line.error));
  begun_ = begun_ || line.is_answer;
  const auto before = out.size();
  calls_.next_chunk();
  take_text(line.thinking, true, out);
  take_text(line.content, false, out);
  has_content_ = has_content_ || out.size() > before;
  auto problem = line.tool_calls.empty() ? failure{} : take_calls(line.tool_calls, out);
  if (line.done)
    take_end(line);
  return problem;
}

void ollama_answer::take_text(std::string_view literal, bool as_reasoning,
                              std::vector<event>& out) {
  if (literal.empty())
    return;
  if (!tags_.active())
    return pieces_.read(literal, as_reasoning, out);
  std::vector<event> read;
  pieces_.read(literal, as_reasoning, read);
  tags_.read_events(std::move(read), out);
}

failure ollama_answer::take_calls(std::string_view list, std::vector<event>& out) {
  failure problem;
  for_each_element(list, [&](std::string_view each) {
    std::string_view id, function, name, arguments;
    read_members(each, {{"id", &id}, {"function", &function}});
    read_members(function, {{"name", &name}, {"arguments", &arguments}});
    const auto call_id = json_string(id);
    const auto call_name = json_string(name);
    if (call_name.empty() && is_nothing(arguments))
      return true;
    show_held(out);
    const auto text = is_nothing(arguments) ? std::string{"{}"} : argument_text(arguments);
    problem = calls_.add({calls_seen_++, call_id, call_name, text}, out);
    calls_.complete_closed(out);
    return !problem;
  });
  return problem;
}

void ollama_answer::take_end(const ollama_line& line) {
  done_ = true;
  raw_reason_ = json_string(line.done_reason);
  used_.input_tokens = token_count(line.input_count);
  used_.cached_input_tokens = token_count(line.cached_count);
  used_.output_tokens = token_count(line.output_count);
  used_.total_tokens = used_.input_tokens + used_.output_tokens;
}

/// Shows half characters and possible tags that were held back.
void ollama_answer::show_held(std::vector<event>& out) {
  if (!tags_.active() && !pieces_.waits())
    return;
  const auto before = out.size();
  std::vector<event> held;
  pieces_.flush(held);
  tags_.read_events(std::move(held), out);
  tags_.flush(out);
  has_content_ = has_content_ || out.size() > before;
}

void ollama_answer::complete(std::vector<event>& out) {
  show_held(out);
  calls_.complete_all(is_cut(reason()), out);
}

void ollama_answer::complete_started(std::vector<event>& out) {
  show_held(out);
  calls_.complete_started(out);
}

model_end ollama_answer::end() const {
  model_end made;
  made.reason = reason();
  made.raw_reason = raw_reason_;
  made.used = used_;
  if (used_.input_tokens >= context_tokens_ / 8 * 7)
    made.full_context = context_tokens_;
  const auto says_nothing = !has_content_ && !calls_.any();
  if (says_nothing && (raw_reason_ == "load" || raw_reason_ == "unload")) // all that was done
  {
    made.error = said_nothing();
    made.reason = finish_reason::error;
  }
  return made;
}

/// Ollama says "stop" with calls, too.
finish_reason ollama_answer::reason() const noexcept {
  const auto said = meaning_of(raw_reason_, has_content_);
  return calls_.any() && !is_cut(said) ? finish_reason::tool_calls : said;
}

} // namespace troupe
