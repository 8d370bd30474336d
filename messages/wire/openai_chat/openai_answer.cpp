#include "messages/wire/openai_chat/openai_answer.hpp"

#include <algorithm>
#include <utility>

#include "messages/ascii_case.hpp"
#include "messages/chat/usage.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_chunk.hpp"
#include "messages/wire/openai_chat/openai_usage.hpp"
#include "messages/wire/provider/finish_words.hpp"
#include "messages/wire/provider/provider_error.hpp"
#include "messages/wire/provider/repaired_json.hpp"

namespace troupe {

// -- openai content -------------------------------------------------------------------------------

namespace {

constexpr int max_part_depth = 4;

} // namespace

void openai_content::read(std::string_view json, bool as_reasoning, std::vector<event>& out) {
  read_at(0, json, as_reasoning, out);
}

void openai_content::read_details(std::string_view json, std::vector<event>& out) {
  for_each_element(json, [this, &out](std::string_view each) {
    std::string_view text, summary;
    read_members(each, {{"text", &text}, {"summary", &summary}});
    read_string(text, true, out);
    read_string(summary, true, out);
    return true;
  });
}

void openai_content::read_at(int depth, std::string_view json, bool as_reasoning,
                             std::vector<event>& out) {
  if (json.starts_with('"')) {
    read_string(json, as_reasoning, out);
  } else if (depth == max_part_depth) {
    return;
  } else if (json.starts_with('[')) {
    for_each_element(json, [&](std::string_view each) {
      read_at(depth + 1, each, as_reasoning, out);
      return true;
    });
  } else if (json.starts_with('{')) {
    for_each_member(json, [&](std::string_view key, std::string_view value) {
      if (key == "type" && (value == "\"reasoning\"" || value == "\"thinking\""))
        as_reasoning = true;
      else if (key == "text" || key == "refusal" || key == "content")
        read_at(depth + 1, value, as_reasoning, out);
      else if (key == "thinking" || key == "reasoning")
        read_at(depth + 1, value, true, out);
      return true;
    });
  }
}

// -- openai answer --------------------------------------------------------------------------------

namespace {

/// Adds one element of `tool_calls`; name and arguments may stand outside of `function`.
failure add_call(std::string_view json, int64_t index, tool_call_assembler& calls,
                 std::vector<event>& out) {
  std::string_view own_index, id, name, arguments, extra, function;
  read_members(json, {{"index", &own_index},
                      {"id", &id},
                      {"name", &name},
                      {"arguments", &arguments},
                      {"extra_content", &extra},
                      {"function", &function}});
  read_members(function, {{"name", &name}, {"arguments", &arguments}});
  auto call_id = json_string(id);
  auto call_name = json_string(name);
  auto text = argument_text(arguments);
  if (!extra.empty() && !is_openai_metadata(extra))
    extra = {};
  return calls.add({integer_of(own_index).value_or(index), call_id, call_name, text, extra}, out);
}

failure add_calls(std::string_view json, tool_call_assembler& calls, std::vector<event>& out) {
  failure problem;
  if (json.starts_with('{'))
    return add_call(json, -1, calls, out);
  for_each_element(json, [&](std::string_view each) {
    problem = add_call(each, -1, calls, out);
    return !problem;
  });
  return problem;
}

/// Returns the next object of a text that has several: some servers forget the line ends between
/// them, and the label of the next line is in the text then, too.
std::string_view next_text(std::string_view behind) {
  constexpr std::string_view label = "data:";
  if (!behind.starts_with(label))
    return behind;
  auto next = behind.substr(label.size());
  return next.substr(std::min(next.find_first_not_of(" \t\r\n"), next.size()));
}

} // namespace

openai_answer::openai_answer(std::string id_prefix, bool starts_with_reasoning)
    : calls_(std::move(id_prefix)), tags_(starts_with_reasoning) {}

failure openai_answer::read(const answer_text& text, std::vector<event>& out) {
  if (text.data.starts_with("[DONE]") || text.data == R"("[DONE]")") {
    done_ = true;
    return {};
  }
  if (text.type == "error")
    return provider_error(200, text.data);
  return read_json(text.data, text.readable, out);
}

failure openai_answer::read_json(std::string_view json, size_t readable, std::vector<event>& out) {
  if (auto literal = shape_.match(json); !literal.empty())
    return take_known(literal, out);
  while (readable >= json.size() + json_padding) {
    openai_chunk chunk;
    if (!read_openai_chunk(json, chunk))
      break;
    if (chunk.behind.empty())
      learn(json, chunk);
    if (auto problem = take(chunk, out); problem || chunk.behind.empty())
      return problem;
    auto next = next_text(chunk.behind);
    readable -= static_cast<size_t>(next.data() - json.data());
    json = next;
  }
  return read_repaired(json, out);
}

failure openai_answer::read_repaired(std::string_view json, std::vector<event>& out) {
  const repaired_json copy{json};
  for (auto left = copy.text();;) {
    openai_chunk chunk;
    if (!read_openai_chunk(left, chunk))
      return no_json(left);
    if (auto problem = take(chunk, out); problem || chunk.behind.empty())
      return problem;
    left = next_text(chunk.behind);
  }
}

size_t openai_answer::read_known_events(std::string_view stream, std::vector<event>& out) {
  if (!takes_known())
    return 0;
  size_t read = 0;
  std::string_view literal;
  while (auto bytes = shape_.match_event(stream.substr(read), literal)) {
    take_text(literal, out);
    read += bytes;
  }
  return read;
}

/// Takes a chunk that carries only one string.
failure openai_answer::take_known(std::string_view literal, std::vector<event>& out) {
  if (takes_known()) {
    take_text(literal, out);
    return {};
  }
  openai_chunk chunk;
  chunk.has_choices = true;
  (shape_.is_reasoning() ? chunk.delta.reasoning : chunk.delta.content) = literal;
  return take(chunk, out);
}

/// Takes the string of such a chunk; only when neither tags nor calls change its meaning.
void openai_answer::take_text(std::string_view literal, std::vector<event>& out) {
  calls_.next_chunk();
  auto before = out.size();
  content_.read_string(literal, shape_.is_reasoning(), out);
  has_content_ = has_content_ || out.size() > before;
  resumed_ = resumed_ || (finished() && out.size() > before);
}

/// Remembers the shape of a chunk that carries only one string.
void openai_answer::learn(std::string_view json, const openai_chunk& chunk) {
  const auto& delta = chunk.delta;
  bool is_reasoning = delta.content.empty();
  auto literal = is_reasoning ? delta.reasoning : delta.content;
  bool alone = delta.content.empty() || delta.reasoning.empty();
  bool bare = delta.refusal.empty() && delta.tool_calls.empty() && delta.function_call.empty() &&
              delta.reasoning_details.empty() && delta.extra_content.empty() &&
              chunk.finish_reason.empty() && chunk.usage.empty() && chunk.error.empty();
  if (alone && bare && literal.starts_with('"'))
    shape_.learn(json, literal, is_reasoning);
}

failure openai_answer::take(const openai_chunk& chunk, std::vector<event>& out) {
  if (!chunk.error.empty())
    return provider_error(200, chunk.error);
  if (chunk.is_text)
    return {errc::model_answer_invalid,
            "The model's server answered with a text completion. Is base_url that of chat "
            "completions?"};
  calls_.next_chunk();
  has_choices_ = has_choices_ || chunk.has_choices;
  const bool is_first = !std::exchange(begun_, true);
  whole_ = chunk.is_whole && is_first;
  auto before = out.size();
  take_reasoning(chunk.delta, out);
  take_content(chunk.delta, out);
  has_content_ = has_content_ || out.size() > before;
  if (out.size() > before && calls_.any())
    show_after_calls(before, out);
  auto problem = take_calls(chunk.delta, out);
  resumed_ = resumed_ || (finished() && out.size() > before);
  if (!chunk.finish_reason.empty() && chunk.finish_reason != "\"\"") {
    raw_reason_ = json_string(chunk.finish_reason);
    // Gemini: "content_filter: PROHIBITED_CONTENT"
    said_ = read_finish_word(finish_api::of_openai, raw_reason_.substr(0, raw_reason_.find(':')));
    stop_sequence_ = json_string(chunk.stop_reason);
  }
  for (auto counts : {chunk.inner_usage, chunk.usage})
    if (auto used = read_openai_usage(counts))
      used_.update(*used);
  return problem;
}

void openai_answer::take_reasoning(const openai_delta& delta, std::vector<event>& out) {
  auto before = out.size();
  if (!delta.reasoning.empty())
    content_.read(delta.reasoning, true, out);
  if (!delta.reasoning_details.empty()) {
    if (out.size() == before)
      content_.read_details(delta.reasoning_details, out);
    metadata_.add_details(delta.reasoning_details);
  }
  if (!delta.extra_content.empty())
    metadata_.add_extra(delta.extra_content);
  // A server that separates reasoning from text itself leaves no tags in the text.
  look_for_tags(before, out);
}

void openai_answer::take_content(const openai_delta& delta, std::vector<event>& out) {
  auto before = out.size();
  if (!delta.content.empty())
    content_.read(delta.content, false, out);
  if (!delta.refusal.empty())
    content_.read(delta.refusal, false, out);
  look_for_tags(before, out);
}

/// Separates reasoning from text in the events from `at` on.
void openai_answer::look_for_tags(size_t at, std::vector<event>& out) {
  if (out.size() == at || !tags_.active())
    return;
  std::vector<event> read(std::make_move_iterator(out.begin() + static_cast<std::ptrdiff_t>(at)),
                          std::make_move_iterator(out.end()));
  out.resize(at);
  tags_.read_events(std::move(read), out);
}

failure openai_answer::take_calls(const openai_delta& delta, std::vector<event>& out) {
  auto before = out.size();
  failure problem;
  if (!delta.tool_calls.empty())
    problem = add_calls(delta.tool_calls, calls_, out);
  if (!problem && !delta.function_call.empty())
    problem = add_call(delta.function_call, 0, calls_, out);
  if (out.size() > before && (tags_.active() || content_.waits()))
    show_held_before(before, out);
  return problem;
}

/// Inserts held-back half characters and possible tags before the events from `at` on.
void openai_answer::show_held_before(size_t at, std::vector<event>& out) {
  std::vector<event> held;
  content_.flush(held);
  look_for_tags(0, held);
  tags_.flush(held);
  has_content_ = has_content_ || !held.empty();
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), std::make_move_iterator(held.begin()),
             std::make_move_iterator(held.end()));
}

void openai_answer::complete(std::vector<event>& out) {
  show_held_before(out.size(), out);
  calls_.complete_all(is_cut(reason()), out);
}

void openai_answer::complete_started(std::vector<event>& out) {
  show_held_before(out.size(), out);
  calls_.complete_started(out);
}

/// Completes the calls that a text has interrupted, and inserts their events before the text.
void openai_answer::show_after_calls(size_t first_text, std::vector<event>& out) {
  std::vector<event> completed;
  calls_.complete_closed(completed);
  out.insert(out.begin() + static_cast<std::ptrdiff_t>(first_text),
             std::make_move_iterator(completed.begin()), std::make_move_iterator(completed.end()));
}

/// A list of choices without any, or without an end, is no answer.
model_end openai_answer::end() const {
  model_end made;
  made.reason = reason();
  made.raw_reason = raw_reason_;
  made.stop_sequence = stop_sequence_;
  made.used = used_;
  made.provider_metadata = metadata_.text();
  if (!said_ && !has_content_ && !calls_.any()) {
    made.error = said_nothing();
    made.reason = finish_reason::error;
  }
  return made;
}

/// Decided by the content: tool_calls, if there are calls.
finish_reason openai_answer::reason() const noexcept {
  auto said = said_.value_or(has_content_ ? finish_reason::stop : finish_reason::other);
  // Many servers send no finish reason for calls, and some send it without calls.
  if (calls_.any())
    return is_cut(said) ? said : finish_reason::tool_calls;
  return said == finish_reason::tool_calls ? finish_reason::stop : said;
}

} // namespace troupe
