// The recorded answers of OpenAI, Azure, DeepSeek, xAI and LM Studio at the Responses API.
#include "tests/messages/wire/provider/accepted_request.hpp"
#include "tests/messages/wire/provider/recordings.hpp"

namespace recordings_responses_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// Returns the chat behind an answer: its calls were run, and the user goes on.
std::vector<chat_message> chat_behind(const decoded_body& decoded) {
  std::vector<chat_message> chat{user_message("first")};
  auto& answer = chat.emplace_back();
  answer.who = role::assistant;
  answer.text = decoded.text();
  answer.provider_metadata = decoded.end.provider_metadata;
  for (const auto& each : decoded.calls())
    answer.tool_calls.push_back({each.tool_call_id, each.tool_name, each.arguments.text});
  for (const auto& each : decoded.calls()) {
    auto& result = chat.emplace_back();
    result.who = role::tool;
    result.tool_call_id = each.tool_call_id;
    result.text = "ok";
  }
  chat.push_back(user_message("second"));
  return chat;
}

/// Returns the strings of all members of that name, as they stand in the text.
std::vector<std::string> values_of(std::string_view text, std::string_view key) {
  std::vector<std::string> values;
  const auto mark = fmt::format(R"("{}":")", key);
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const auto begin = at + mark.size();
    values.emplace_back(text.substr(begin, text.find('"', begin) - begin));
  }
  return values;
}

} // namespace

TEST_CASE("each recorded answer of a Responses server gives what it means",
          "[messages][openai_responses][recordings]") {
  check_recordings("responses", "openai-responses", 35);
}

TEST_CASE("sealed reasoning of each recorded answer goes back byte for byte",
          "[messages][openai_responses][recordings]") {
  const auto folder = recordings_of("responses");
  if (!folder) {
    WARN("skipped: TROUPE_FIXTURES names no folder with recorded answers");
    return;
  }
  model_config model;
  model.name = "m"; // as decode_body() has it
  size_t sealed = 0;
  for (const auto& each : read_recordings(*folder)) {
    INFO("recording " << each.name);
    const auto decoded = decode_body("openai-responses", each.frame, {each.body});
    const auto chat = chat_behind(decoded);
    const auto body = accepted_body("openai-responses", {model, chat});
    const auto kept = values_of(decoded.end.provider_metadata, "encrypted_content");
    CHECK(values_of(body, "encrypted_content") == kept);
    for (const auto& value : kept)
      CHECK(each.body.find(value) != std::string::npos);
    sealed += kept.size();
  }
  CHECK(sealed >= 6);
}

} // namespace recordings_responses_test
