#include "apps/bench/target/http/chunk_answer_reader.hpp"

#include "apps/bench/target/http/event_data.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_usage.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe::bench {

namespace {

/// Returns whether the chunk has content only, so that the next chunks may differ in it alone.
bool only_content(const openai_chunk& chunk) {
  return chunk.finish_reason.empty() && chunk.usage.empty() && chunk.delta.refusal.empty() &&
         chunk.delta.reasoning.empty() && chunk.delta.tool_calls.empty();
}

} // namespace

void chunk_answer_reader::read(const sse_event& each) {
  if (auto literal = shape_.match(each.data); !literal.empty())
    return text(literal);
  if (is_done(each.data))
    return done();
  if (each.type == "error") {
    auto why = provider_error(200, each.data);
    return fail(why.code, why.text());
  }
  if (each.data.find_first_not_of(" \t\r\n") != std::string_view::npos) // some send empty data
    read_chunk(each.data);
}

void chunk_answer_reader::read_chunk(std::string_view json) {
  openai_chunk chunk;
  if (read_openai_chunk(json, chunk))
    return take(json, chunk);
  // Broken UTF-8 is repaired, as the engine does. Any other defect is a failure.
  std::string mended;
  append_utf8(mended, json);
  const auto length = mended.size();
  mended.append(json_padding, '\0');
  const std::string_view text{mended.data(), length};
  chunk = {};
  if (read_openai_chunk(text, chunk))
    take(text, chunk);
  else if (json.starts_with(R"("[DONE]")"))
    done();
  else if (!finished_)
    fail(errc::model_answer_invalid, "a chunk is no JSON: " + excerpt(json));
}

void chunk_answer_reader::done() {
  if (has_choices_)
    end();
  else
    fail(errc::model_answer_invalid, "a stream without choices");
}

void chunk_answer_reader::take(std::string_view json, const openai_chunk& chunk) {
  if (!chunk.error.empty()) {
    auto why = provider_error(200, chunk.error);
    return fail(why.code, why.text());
  }
  has_choices_ = has_choices_ || chunk.has_choices;
  const auto& delta = chunk.delta;
  if (delta.content.starts_with('"')) {
    text(delta.content);
    if (only_content(chunk))
      shape_.learn(json, delta.content, false);
  } else if (delta.content.starts_with('[')) {
    read_content(delta.content);
  }
  if (delta.refusal.starts_with('"'))
    text(delta.refusal);
  for (const auto counted : {chunk.inner_usage, chunk.usage})
    if (const auto counts = read_openai_usage(counted))
      used(*counts);
  finished_ = finished_ || chunk.finish_reason.size() > 2;
}

/// Reads content in parts. Only parts of type "text" count; reasoning parts do not.
void chunk_answer_reader::read_content(std::string_view content) {
  for_each_element(content, [this](json_value part) {
    std::string_view type, said;
    read_members(part, {{"type", &type}, {"text", &said}});
    if (type == R"("text")" && said.starts_with('"'))
      text(said);
    return true;
  });
}

void chunk_answer_reader::cut_short() {
  if (finished_)
    end();
  else
    answer_reader::cut_short();
}

} // namespace troupe::bench
