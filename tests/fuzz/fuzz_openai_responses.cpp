// Any body in place of an answer of the Responses API.
#include "tests/fuzz/model_answer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return troupe::fuzz::read_model_answer("openai-responses", "text/event-stream", data, size);
}
