// What the checker of UI message streams finds.
#include "tests/messages/wire/clients/ui/ui_stream_checker.hpp"
#include "tests/support/catch.hpp"

namespace troupe::test {

namespace {

std::string fault_of(const std::vector<std::string>& frames) {
  std::string stream;
  for (const auto& frame : frames)
    stream += "data: " + frame + "\n\n";
  return ui_stream_fault(stream);
}

} // namespace

TEST_CASE("the checker finds what a client would stumble over", "[messages][ui_stream_checker]") {
  const std::string start = R"({"type":"start"})";
  const std::string step = R"({"type":"start-step"})";
  const std::string stepped = R"({"type":"finish-step"})";
  const std::string finish =
      R"({"type":"finish","finishReason":"stop","messageMetadata":{"usage":{}}})";
  const std::string opened = R"({"type":"text-start","id":"1"})";
  const std::string closed = R"({"type":"text-end","id":"1"})";
  const std::string offered = R"({"type":"tool-input-available","toolCallId":"c","toolName":"t",)"
                              R"("input":{},"dynamic":true})";
  const std::string output =
      R"({"type":"tool-output-available","toolCallId":"c","output":null,"dynamic":true})";
  const std::string data = R"({"type":"data-x","data":1})";
  const std::string over = "[DONE]";

  CHECK(fault_of({start, step, opened, closed, stepped, finish, over}).empty());
  CHECK(
      fault_of({start, step, offered, output, stepped, step, data, stepped, finish, over}).empty());

  CHECK_FALSE(fault_of({}).empty());
  CHECK_FALSE(fault_of({start, finish}).empty());
  CHECK_FALSE(fault_of({start, over}).empty());
  CHECK_FALSE(fault_of({start, finish, over, over}).empty());
  CHECK_FALSE(fault_of({start, finish, finish, over}).empty());
  CHECK_FALSE(fault_of({step, stepped, finish, over}).empty());
  CHECK_FALSE(fault_of({start, start, finish, over}).empty());
  CHECK_FALSE(fault_of({start, step, finish, over}).empty());
  CHECK_FALSE(fault_of({start, step, opened, stepped, finish, over}).empty());
  CHECK_FALSE(fault_of({start, step, closed, stepped, finish, over}).empty());
  CHECK_FALSE(fault_of({start, opened, closed, finish, over}).empty());
  CHECK_FALSE(fault_of({start, step, offered, stepped, finish, over}).empty());
  CHECK_FALSE(fault_of({start, step, output, stepped, finish, over}).empty());
  CHECK_FALSE(fault_of({start, step, offered, output, stepped, finish, over}).empty());
  CHECK_FALSE(fault_of({start, step, offered, output, output, stepped, finish, over}).empty());
  CHECK_FALSE(fault_of({R"({"type":"start","messageId":null})", finish, over}).empty());
  CHECK_FALSE(fault_of({start, "{}", finish, over}).empty());
  CHECK_FALSE(fault_of({start, "nonsense", finish, over}).empty());
  CHECK_FALSE(ui_stream_fault("data: {\"type\":\"start\"}\n").empty());
}

TEST_CASE("the checker knows approvals and profiles", "[messages][ui_stream_checker]") {
  auto stream = [](std::string middle, const std::string& end) {
    return "data: {\"type\":\"start\"}\n\ndata: {\"type\":\"start-step\"}\n\n" + middle +
           "data: {\"type\":\"finish-step\"}\n\ndata: {\"type\":\"finish\"," + end +
           "\"messageMetadata\":{\"usage\":{}}}\n\ndata: [DONE]\n\n";
  };
  const std::string reason = R"("finishReason":"stop",)";
  const std::string offered =
      "data: {\"type\":\"tool-input-available\",\"toolCallId\":\"c\",\"toolName\":\"t\","
      "\"input\":{},\"dynamic\":true}\n\n";
  const std::string asked =
      "data: {\"type\":\"tool-approval-request\",\"approvalId\":\"a\",\"toolCallId\":\"c\"}\n\n";
  const std::string denied = "data: {\"type\":\"tool-output-denied\",\"toolCallId\":\"c\"}\n\n";

  CHECK(ui_stream_fault(stream("", reason)).empty());
  CHECK_FALSE(ui_stream_fault(stream("", "")).empty());
  CHECK(ui_stream_fault(stream("", ""), ui_profile::v5_min).empty());
  CHECK_FALSE(ui_stream_fault(stream("", reason), ui_profile::v5_min).empty());
  CHECK(ui_stream_fault(stream(offered + asked, reason)).empty());
  CHECK_FALSE(ui_stream_fault(stream(offered + asked, ""), ui_profile::v5_min).empty());
  CHECK_FALSE(ui_stream_fault(stream(asked, reason)).empty());
  CHECK_FALSE(ui_stream_fault(stream(offered + asked + asked, reason)).empty());
  CHECK_FALSE(ui_stream_fault(stream(denied, reason)).empty());
  CHECK(ui_stream_fault(stream(denied, reason), ui_profile::v6, {"c"}).empty());
  CHECK_FALSE(ui_stream_fault(stream(denied + denied, reason), ui_profile::v6, {"c"}).empty());
}

} // namespace troupe::test
