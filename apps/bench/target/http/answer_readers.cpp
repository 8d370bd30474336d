#include "apps/bench/target/http/answer_readers.hpp"

#include <algorithm>
#include <cstdint>

#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/openai_chat/openai_usage.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe::bench {

namespace {

/// Returns whether the data is the `[DONE]` that ends a stream, with space around it or not.
bool is_done(std::string_view data) {
  constexpr std::string_view space = " \t\r\n";
  auto first = data.find_first_not_of(space);
  if (first == std::string_view::npos || data[first] != '[')
    return false;
  return data.substr(first, data.find_last_not_of(space) - first + 1) == "[DONE]";
}

/// Returns the member `type` of an object, without its quotes; "" if there is none. All known
/// servers write it first, where it is found without a search.
/// @param json is followed by json_padding readable bytes
std::string_view type_of(std::string_view json) {
  constexpr std::string_view usual = R"({"type":")";
  if (json.starts_with(usual)) {
    auto rest = json.substr(usual.size());
    auto end = rest.find_first_of("\"\\");
    if (end != std::string_view::npos && rest[end] == '"')
      return rest.substr(0, end);
  }
  std::string_view type;
  read_members(json, {{"type", &type}});
  return type.size() > 2 && type.front() == '"' ? type.substr(1, type.size() - 2) : "";
}

/// Returns whether a further output of the tool follows, which replaces this one: the AI SDK's
/// member `preliminary` is true.
/// @param json is followed by json_padding readable bytes
bool is_preliminary(std::string_view json) {
  if (json.find(R"("preliminary")") == std::string_view::npos)
    return false;
  std::string_view value;
  read_members(json, {{"preliminary", &value}});
  return value == "true";
}

/// Returns the token counts of a `usage` with the names of the AI SDK and Troupe.
/// @param json is followed by json_padding readable bytes
usage usage_of(std::string_view json) {
  std::string_view input, output;
  read_members(json, {{"inputTokens", &input}, {"outputTokens", &output}});
  const auto count = [](std::string_view number) {
    return static_cast<uint64_t>(std::max<int64_t>(integer_of(number).value_or(0), 0));
  };
  usage out;
  out.input_tokens = count(input);
  out.output_tokens = count(output);
  return out;
}

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
  std::string repaired;
  append_utf8(repaired, json);
  const auto length = repaired.size();
  repaired.append(json_padding, '\0');
  const std::string_view text{repaired.data(), length};
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

void native_answer_reader::read(const sse_event& each) {
  const auto name = each.type;
  if (name == "TEXT")
    tell(observed::text); // never an empty one
  else if (name == "TOOL_ARGS_COMPLETE")
    tell(observed::arguments_end);
  else if (name == "MCP_TOOL_START")
    tell(observed::tool_start);
  else if (name == "MCP_TOOL_SUCCESS" || name == "MCP_TOOL_ERROR")
    tell(observed::tool_end);
  else if (name == "MODEL_RESPONSE_WAITING")
    tell(observed::model_request);
  else if (name == "ABORT")
    aborted_ = true;
  else if (name == "SESSION_ERROR")
    failed(each.data);
  else if (name == "SESSION_END")
    ended(each.data);
}

void native_answer_reader::ended(std::string_view json) {
  std::string_view counts;
  read_members(json, {{"usage", &counts}});
  used(usage_of(counts));
  aborted_ ? stopped() : end();
}

void native_answer_reader::failed(std::string_view json) {
  std::string_view code, said;
  read_members(json, {{"error", &code}, {"errorText", &said}});
  fail(errc_from(json_string(code)), json_string(said));
}

void ui_answer_reader::read(const sse_event& each) {
  if (auto literal = shape_.match(each.data); !literal.empty())
    return text(literal);
  if (is_done(each.data))
    return terminated();
  read_chunk(type_of(each.data), each.data);
}

void ui_answer_reader::read_chunk(std::string_view type, std::string_view json) {
  if (type == "text-delta") {
    read_text(json);
  } else if (type == "tool-input-available" || type == "tool-input-error") {
    tell(observed::arguments_end);
  } else if (type == "tool-output-available" || type == "tool-output-error" ||
             type == "tool-output-denied") {
    if (!is_preliminary(json))
      tell(observed::tool_end);
  } else if (type == "start-step") {
    tell(observed::model_request);
  } else if (type == "start") {
    std::string_view id;
    read_members(json, {{"messageId", &id}});
    if (id.size() > 2 && id.front() == '"')
      message_id_ = id.substr(1, id.size() - 2);
  } else if (type == "error") {
    std::string_view said;
    read_members(json, {{"errorText", &said}});
    error_ = {errc::model_failed, json_string(said)};
  } else if (type == "finish") {
    read_finish(json);
  } else if (type == "abort") {
    aborted_ = true;
  }
}

/// Reads the metadata of `finish`. Troupe puts the error's code and the turn's `usage` there.
/// Servers on the AI SDK may send `totalUsage`; a `usage` beside it is of the last step only.
void ui_answer_reader::read_finish(std::string_view json) {
  std::string_view metadata, code, counts, total;
  read_members(json, {{"messageMetadata", &metadata}});
  read_members(metadata, {{"error", &code}, {"usage", &counts}, {"totalUsage", &total}});
  if (error_ && !code.empty())
    error_.code = errc_from(json_string(code));
  used(usage_of(total.starts_with('{') ? total : counts));
}

void ui_answer_reader::read_text(std::string_view json) {
  std::string_view delta;
  read_members(json, {{"delta", &delta}});
  if (delta.empty() || delta.front() != '"')
    return;
  text(delta);
  shape_.learn(json, delta, false);
}

void ui_answer_reader::terminated() {
  if (error_)
    fail(error_.code, error_.text());
  else if (aborted_)
    stopped();
  else
    end();
}

void ui_answer_reader::cut_short() {
  if (error_)
    fail(error_.code, error_.text());
  else
    answer_reader::cut_short();
}

} // namespace troupe::bench
