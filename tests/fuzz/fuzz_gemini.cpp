// Any body in place of an answer of Gemini; or, where the last byte is 'S', any schema of a tool in
// the form that Gemini takes.
#include "messages/wire/gemini/gemini_schema.hpp"
#include "tests/fuzz/model_answer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 0 && data[size - 1] == 'S') {
    const auto reduced = troupe::reduced_gemini_schema(text_of(data, size - 1));
    require(reduced.empty() || troupe::is_json_object(reduced), "a reduced schema is an object");
    return 0;
  }
  return troupe::fuzz::read_model_answer("gemini", "text/event-stream", data, size);
}
