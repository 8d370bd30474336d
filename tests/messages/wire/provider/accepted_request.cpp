#include "tests/messages/wire/provider/accepted_request.hpp"

#include <fmt/format.h>

#include "messages/wire/provider/request_frame.hpp"
#include "tests/messages/wire/anthropic/anthropic_request_check.hpp"
#include "tests/messages/wire/gemini/gemini_request_check.hpp"
#include "tests/messages/wire/ollama/ollama_request_check.hpp"
#include "tests/messages/wire/openai_responses/openai_responses_request_check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/request_rules.hpp"

namespace troupe::test {

namespace {

/// Generation 3 wants signatures, and only 2.0 is limited to its own subset of schemas.
std::string gemini_fault_for(const model_config& model, std::string_view body) {
  const auto name = model_name(model);
  return gemini_body_fault(body, {.wants_signatures = name.starts_with("gemini-3"),
                                  .takes_json_schema = !name.starts_with("gemini-2.0")});
}

/// A pause is marked in what the answer's message keeps.
bool was_paused(const model_request& asked) {
  return !asked.history.empty() && !asked.without_sealed_reasoning &&
         asked.history.back().provider_metadata.find(R"("paused":true)") != std::string::npos;
}

} // namespace

std::string request_fault(std::string_view provider, const model_request& asked,
                          std::string_view body) {
  if (provider == "anthropic")
    return fmt::format("{}", fmt::join(anthropic_request_faults(body, was_paused(asked)), "; "));
  if (provider == "gemini")
    return gemini_fault_for(asked.model, body);
  if (provider == "ollama")
    return ollama_body_fault(body);
  if (provider == "openai-responses")
    return openai_responses_body_fault(body);
  return openai_body_fault(body);
}

http_request accepted_request(std::string_view provider, const model_request& asked) {
  auto made = find_provider(provider)->make_request(asked);
  INFO(made.body);
  CHECK(request_fault(provider, asked, made.body) == "");
  return made;
}

std::string accepted_body(std::string_view provider, const model_request& asked) {
  return accepted_request(provider, asked).body;
}

} // namespace troupe::test
