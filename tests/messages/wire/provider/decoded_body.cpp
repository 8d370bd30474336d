#include "tests/messages/wire/provider/decoded_body.hpp"

#include <fmt/format.h>

namespace troupe::test {

std::vector<tool_args_complete> decoded_body::calls() const {
  std::vector<tool_args_complete> made;
  for (const auto& each : events)
    if (const auto* call = std::get_if<tool_args_complete>(&each))
      made.push_back(*call);
  return made;
}

chat_message decoded_body::message() const {
  chat_message made;
  made.who = role::assistant;
  made.text = text();
  made.reasoning = reasoning();
  for (const auto& call : calls())
    made.tool_calls.push_back(
        {call.tool_call_id, call.tool_name, call.arguments.text, call.provider_metadata.text});
  made.provider_metadata = end.provider_metadata;
  return made;
}

std::vector<std::string_view> pieces_of_body(std::string_view body, size_t bytes) {
  if (bytes == 0)
    return {body};
  std::vector<std::string_view> pieces;
  for (size_t at = 0; at < body.size(); at += bytes)
    pieces.push_back(body.substr(at, bytes));
  return pieces;
}

decoded_body decode_body(std::string_view provider, const body_frame& frame,
                         const std::vector<std::string_view>& pieces) {
  const auto* from = find_provider(provider);
  REQUIRE(from != nullptr);
  model_config model;
  model.name = "m";
  auto decoder = from->make_decoder(model, "made-");
  decoder->head(frame.status, frame.content_type, frame.retry_after);
  decoded_body answer;
  for (auto piece : pieces) {
    const std::vector<char> copy(piece.begin(), piece.end());
    answer.end = decoder->feed({copy.data(), copy.size()}, answer.events);
  }
  if (!answer.end.over)
    answer.end = decoder->finish(frame.cut, answer.events);
  CHECK(answer.end.over);
  return answer;
}

std::string body_line(const event& what) {
  constexpr std::string_view no_metadata = R"(,"providerMetadata":null)";
  auto json = std::visit([](const auto& each) { return to_json(each); }, what);
  if (auto at = json.find(no_metadata); at != std::string::npos)
    json.erase(at, no_metadata.size());
  return std::string{name_of(what)} + " " + json;
}

std::vector<std::string> body_lines(const decoded_body& answer) {
  std::vector<std::string> lines;
  for (const auto& each : answer.events)
    lines.push_back(body_line(each));
  const auto& end = answer.end;
  const auto& used = end.used;
  if (!end.provider_metadata.empty())
    lines.push_back("METADATA " + end.provider_metadata);
  if (end.error)
    lines.push_back("FAILURE " + to_string(end.error.code) + " " + end.error.text());
  if (end.retry_after_ms >= 0)
    lines.push_back(fmt::format("RETRY {:g}", static_cast<double>(end.retry_after_ms) / 1000));
  if (!end.error)
    lines.push_back(fmt::format(
        "END {} input={} output={} total={} reasoning={} cached={}{}{}", to_string(end.reason),
        used.input_tokens, used.output_tokens, used.total_tokens, used.reasoning_tokens,
        used.cached_input_tokens,
        used.cache_write_tokens > 0 ? fmt::format(" written={}", used.cache_write_tokens) : "",
        end.goes_on ? " goes-on" : ""));
  return lines;
}

std::vector<event> merged(const std::vector<event>& events) {
  std::vector<event> out;
  for (const auto& each : events) {
    auto* last = out.empty() ? nullptr : &out.back();
    if (last == nullptr || last->index() != each.index())
      out.push_back(each);
    else if (auto* text = std::get_if<text_delta>(last))
      text->text += std::get<text_delta>(each).text;
    else if (auto* thought = std::get_if<reasoning_delta>(last))
      thought->text += std::get<reasoning_delta>(each).text;
    else if (auto* arguments = std::get_if<tool_args_delta>(last))
      arguments->delta += std::get<tool_args_delta>(each).delta;
    else
      out.push_back(each);
  }
  return out;
}

std::vector<std::string> merged_lines(const decoded_body& answer) {
  return body_lines({merged(answer.events), answer.end});
}

} // namespace troupe::test
