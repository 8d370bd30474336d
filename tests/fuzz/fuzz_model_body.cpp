// Requests to the scripted model, in all dialects: what it takes it can answer, what it refuses it
// says why.
#include <string>

#include "apps/model/anthropic/anthropic_dialect.hpp"
#include "apps/model/chat/chat_dialect.hpp"
#include "apps/model/dialect/request_reader.hpp"
#include "apps/model/gemini/gemini_dialect.hpp"
#include "apps/model/ollama/ollama_dialect.hpp"
#include "apps/model/responses/responses_dialect.hpp"
#include "apps/model/script/scripts.hpp"
#include "messages/wire/json/json_check.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

namespace {

void read_as(const scripted::dialect& spoken, std::string body) {
  static scripted::request_reader reader;
  const auto before = body;
  scripted::chat_call call;
  const auto bad = reader.read(body, spoken, call);
  require(body == before, "the body stays");
  if (bad)
    return require_refusal(bad, errc::request_invalid);
  require(call.stream || !call.include_usage, "a request is whole");
  const auto script = scripted::find_script(call.model);
  require(script.row == nullptr || (script.tokens_per_second >= 1 && script.tokens <= 1'000'000),
          "a pace is bounded");
  const auto talk = reader.talk();
  require(talk.sealed_rounds <= talk.rounds && talk.rounds <= talk.calls, "the counts fit");
  for (const auto& tool : talk.tools)
    for (const auto& each : tool.parameters)
      require(json_fault(each.sample).empty(), "a sample is JSON");
  for (const auto& each : scripted::all_scripts()) {
    const auto what = each.make({talk, 5, 5});
    if (what.end == scripted::ending::whole)
      require(json_fault(spoken.whole(what, call)).empty(), "an answer is JSON");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string body{text_of(data, size)};
  for (const auto* each :
       {&scripted::chat_dialect, &scripted::anthropic_dialect, &scripted::responses_dialect,
        &scripted::gemini_dialect, &scripted::ollama_dialect})
    read_as(*each, body);
  return 0;
}
