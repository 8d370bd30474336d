// Requests to the scripted model: what it takes it can answer, what it refuses it says why.
#include <string>

#include "apps/model/chat_reader.hpp"
#include "apps/model/scripts.hpp"
#include "messages/wire/json/json_check.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/whole_value.hpp"

using namespace troupe;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static scripted::chat_reader reader;
  std::string body{text_of(data, size)};
  scripted::chat_call call;
  const auto bad = reader.read(body, call);
  require(body == text_of(data, size), "the body stays");
  if (bad) {
    require_refusal(bad, errc::request_invalid);
    return 0;
  }
  require(!call.model.empty() && (call.stream || !call.include_usage), "a request is whole");
  const auto script = scripted::find_script(call.model);
  require(script.row == nullptr || (script.tokens_per_second >= 1 && script.tokens <= 1'000'000),
          "a pace is bounded");
  const auto talk = reader.talk();
  for (const auto& tool : talk.tools)
    for (const auto& each : tool.parameters)
      require(json_fault(each.sample).empty(), "a sample is JSON");
  for (const auto& each : scripted::all_scripts())
    static_cast<void>(each.make({talk, 5, 5}));
  return 0;
}
