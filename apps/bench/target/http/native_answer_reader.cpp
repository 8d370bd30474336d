#include "apps/bench/target/http/native_answer_reader.hpp"

#include "apps/bench/target/http/event_data.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe::bench {

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

} // namespace troupe::bench
