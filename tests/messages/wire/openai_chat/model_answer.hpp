// Answers of a model as values: they can be written as a plain completion or as a stream, and read
// back from the events of either.
#pragma once

#include <string>
#include <vector>

#include "messages/json.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/provider/provider.hpp"

namespace troupe::test {

struct model_answer {
  std::string reasoning;
  std::string text;
  std::vector<tool_call> calls;
  std::string metadata; ///< model_end::provider_metadata
  std::string finish;   ///< "" for null
  usage used;

  static constexpr auto fields(auto...) {
    using self = model_answer;
    return std::make_tuple(field("reasoning", &self::reasoning), field("text", &self::text),
                           field("calls", &self::calls), field("metadata", &self::metadata),
                           field("finish", &self::finish), field("used", &self::used));
  }
};

/// Puts an answer together from its events, whatever order its parts came in.
inline model_answer collect(const std::vector<event>& events, const model_end& end) {
  model_answer made;
  for (const auto& each : events) {
    if (const auto* thought = std::get_if<reasoning_delta>(&each))
      made.reasoning += thought->text;
    else if (const auto* text = std::get_if<text_delta>(&each))
      made.text += text->text;
    else if (const auto* call = std::get_if<tool_args_complete>(&each))
      made.calls.push_back({call->tool_call_id, call->tool_name, call->arguments.text,
                            call->provider_metadata.text});
  }
  made.metadata = end.provider_metadata;
  made.finish = end.raw_reason;
  made.used = end.used;
  return made;
}

/// Returns a JSON string, or null for an empty one.
inline std::string text_or_null(const std::string& text) {
  return text.empty() ? "null" : to_json(text);
}

/// Returns the members that bring the metadata of an answer, each behind a comma.
inline std::string metadata_members(const std::string& metadata) {
  json_source source{metadata};
  std::string details, extra;
  for_each_member(source.root(), [&](std::string_view key, std::string_view value) {
    if (key == "openai")
      details = std::string{value.substr(1, value.size() - 2)};
    else
      extra += (extra.empty() ? "" : ",") + to_json(key) + ":" + std::string{value};
    return true;
  });
  return (details.empty() ? "" : "," + details) +
         (extra.empty() ? "" : ",\"extra_content\":{" + extra + "}");
}

inline std::string extra_member(const tool_call& call) {
  return call.provider_metadata.empty() ? "" : ",\"extra_content\":" + call.provider_metadata;
}

inline std::string usage_json(const usage& used) {
  return fmt::format(R"({{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{},)"
                     R"("prompt_tokens_details":{{"cached_tokens":{}}},)"
                     R"("completion_tokens_details":{{"reasoning_tokens":{}}}}})",
                     used.input_tokens, used.output_tokens, used.total_tokens,
                     used.cached_input_tokens, used.reasoning_tokens);
}

/// Writes the answer as one chat.completion.
inline std::string as_document(const model_answer& answer) {
  std::string calls;
  for (const auto& each : answer.calls)
    calls +=
        fmt::format(R"({}{{"id":{},"type":"function","function":{{"name":{},"arguments":{}}}{}}})",
                    calls.empty() ? "" : ",", to_json(each.id), to_json(each.name),
                    to_json(each.arguments), extra_member(each));
  return fmt::format(
      R"({{"object":"chat.completion","choices":[{{"index":0,"message":{{"role":"assistant",)"
      R"("reasoning_content":{},"content":{}{}{}}},"finish_reason":{}}}],"usage":{}}})",
      text_or_null(answer.reasoning), text_or_null(answer.text), metadata_members(answer.metadata),
      calls.empty() ? "" : ",\"tool_calls\":[" + calls + "]", text_or_null(answer.finish),
      usage_json(answer.used));
}

} // namespace troupe::test
