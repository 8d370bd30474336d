// Any schema gives any value an answer in bounded time, and never breaks the opposite as well. As a
// tool's schema it is repaired once and for all, or refused.
#include <string>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_schema.hpp"
#include "messages/wire/json/tool_schema.hpp"
#include "tests/fuzz/fuzz.hpp"

/// The first line is the schema, the rest is the value.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto input = text_of(data, size);
  auto end = std::min(input.find('\n'), input.size());
  std::string schema{input.substr(0, end)};
  std::string value{input.substr(std::min(end + 1, input.size()))};
  auto mismatch = troupe::schema_mismatch(schema, value);
  auto both = troupe::json_fault(schema).empty() && troupe::json_fault(value).empty();
  require(mismatch.empty() || both, "only JSON is refused");
  require(troupe::schema_mismatch("true", value).empty(), "everything matches true");
  auto repair = troupe::repair_tool_schema(schema);
  require(repair.repaired.empty() || repair.fault.empty(), "a schema is repaired or refused");
  if (!repair.repaired.empty()) {
    auto again = troupe::repair_tool_schema(repair.repaired);
    require(again.repaired.empty() && again.fault.empty(), "what was repaired is right");
  }
  // References would lead elsewhere.
  if (both && schema.find('$') == std::string::npos && schema.find('\\') == std::string::npos) {
    auto negated = R"({"not":)" + schema + "}";
    require(mismatch.empty() || troupe::schema_mismatch(negated, value).empty(),
            "a value does not break both a schema and its opposite");
  }
  return 0;
}
