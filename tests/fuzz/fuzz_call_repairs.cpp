// Any arguments are one strict object after repair, which is repaired no further, or stay as they
// are.
#include <string>

#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"
#include "messages/wire/provider/call_repairs.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace troupe;

void check_arguments(const std::string& written) {
  auto read = written;
  call_repairs how;
  if (!repair_arguments(read, how)) {
    require(read == written && !how.any(), "what has no reading stays as it is");
    return;
  }
  require(is_json_object(read), "the reading is an object");
  require(how.any() || read == written, "what was not mended stays as it is");
  auto again = read;
  call_repairs more;
  require(repair_arguments(again, more) && again == read && !more.any(), "once is enough");
  require(!replace_lone_halves(again), "no half of a character is left");
}

void check_name(std::string_view written) {
  static const auto tools = [] {
    tool_set made;
    for (const char* name : {"Echo", "a-b", "a_c", "echo", "tools"})
      made.tools.push_back({name, "", "{}", "", name});
    return made;
  }();
  call_repairs how;
  const auto* tool = matching_tool(written, tools, how);
  require(tool != nullptr || !how.any(), "nothing is mended in vain");
  require(tool == nullptr || how.any() == (tool->name != written), "what differs was mended");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text{text_of(data, size)};
  check_arguments(text);
  check_name(text);
  return 0;
}
