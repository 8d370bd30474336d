#include "messages/wire/provider/tool_call_assembler.hpp"

#include "tests/support/catch.hpp"

namespace tool_call_assembler_test {

using namespace troupe;

namespace {

/// Gives "+id name", "id:delta" and "=id name arguments" for the events of some pieces, each in a
/// chunk of its own.
std::vector<std::string> assemble(const std::vector<tool_call_piece>& pieces) {
  tool_call_assembler calls{"made-"};
  std::vector<event> events;
  for (const auto& each : pieces) {
    calls.next_chunk();
    CHECK_FALSE(calls.add(each, events));
  }
  calls.complete_all(false, events);
  std::vector<std::string> lines;
  for (const auto& each : events) {
    if (const auto* start = std::get_if<tool_args_start>(&each))
      lines.push_back("+" + start->tool_call_id + " " + start->tool_name);
    else if (const auto* delta = std::get_if<tool_args_delta>(&each))
      lines.push_back(delta->tool_call_id + ":" + delta->delta);
    else if (const auto* end = std::get_if<tool_args_complete>(&each))
      lines.push_back("=" + end->tool_call_id + " " + end->tool_name + " " + end->arguments.text);
  }
  return lines;
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("an id is taken as it is, however long gateways make it",
          "[messages][tool_call_assembler]") {
  const auto id = "call_1__thought__" + std::string(2000, 'A');
  CHECK(assemble({{0, id, "look", "{}"}}) ==
        lines{"+" + id + " look", id + ":{}", "=" + id + " look {}"});
  tool_call_assembler calls{"made-"};
  std::vector<event> events;
  const auto bad = calls.add({0, std::string(16 * 1024 + 1, 'A'), "look", "{}"}, events);
  CHECK(bad.code == errc::model_answer_invalid);
  CHECK(events.empty());
}

TEST_CASE("JSON is closed when what was opened is closed", "[messages][tool_call_assembler]") {
  auto closed = [](std::string_view text) {
    json_balance balance;
    for (size_t i = 0; i < text.size(); ++i)
      balance.read(text.substr(i, 1));
    return balance.closed();
  };
  CHECK(closed("{}"));
  CHECK(closed(R"({"a":"}\"","b":[1]})"));
  CHECK_FALSE(closed(""));
  CHECK_FALSE(closed("null"));
  CHECK_FALSE(closed(R"({"a":"})"));
  CHECK_FALSE(closed(R"({"a":"\"}")"));
  CHECK_FALSE(closed("}"));
}

TEST_CASE("a call whose id comes late keeps the pieces before it",
          "[messages][tool_call_assembler]") {
  CHECK(assemble({{0, "", "get", ""}, {0, "call_1", "", "{}"}}) ==
        lines{"+call_1 get", "call_1:{}", "=call_1 get {}"});
  CHECK(assemble({{0, "", "get", "{"}, {0, "call_1", "", "}"}}) ==
        lines{"+made-1 get", "made-1:{", "made-1:}", "=made-1 get {}"});
}

TEST_CASE("a name that grows is not doubled", "[messages][tool_call_assembler]") {
  CHECK(assemble({{0, "a", "get", ""}, {0, "a", "get_now", ""}, {0, "", "", "{}"}}) ==
        lines{"+a get_now", "a:{}", "=a get_now {}"});
}

TEST_CASE("a call that has only an id is none, one that has no name is shown",
          "[messages][tool_call_assembler]") {
  CHECK(assemble({{0, "a", "", ""}}).empty());
  CHECK(assemble({{0, "", "", ""}, {-1, "", "", ""}}).empty());
  CHECK(assemble({{0, "a", "", "{}"}}) == lines{"+a ", "a:{}", "=a  {}"});
}

TEST_CASE("an id of ours never meets one of the server's", "[messages][tool_call_assembler]") {
  CHECK(assemble({{0, "made-1", "x", "{}"}, {1, "", "y", "{}"}}) ==
        lines{"+made-1 x", "made-1:{}", "=made-1 x {}", "+made-2 y", "made-2:{}", "=made-2 y {}"});
}

TEST_CASE("open calls are completed by index, whatever order they began in",
          "[messages][tool_call_assembler]") {
  CHECK(assemble({{2, "b", "y", "{"}, {1, "a", "x", "{"}, {2, "", "", "}"}, {1, "", "", "}"}}) ==
        lines{"+b y", "b:{", "+a x", "a:{", "b:}", "a:}", "=a x {}", "=b y {}"});
}

TEST_CASE("one call that stands for several becomes these", "[messages][tool_call_assembler]") {
  constexpr std::string_view uses =
      R"({"tool_uses":[{"recipient_name":"functions.look","parameters":{"at":1}},)"
      R"({"recipient_name":"sum","parameters":"{\"a\":2}"},{"recipient_name":"now"}]})";
  const lines three{"+c_1 look", R"(c_1:{"at":1})", R"(=c_1 look {"at":1})",
                    "+c_2 sum",  R"(c_2:{"a":2})",  R"(=c_2 sum {"a":2})",
                    "+c_3 now",  "c_3:{}",          "=c_3 now {}"};
  CHECK(assemble({{0, "c", "multi_tool_use.parallel", uses}}) == three);
  CHECK(assemble({{0, "c", "multi_tool_use.parallel:2", uses}}) == three);
  CHECK(assemble({{0, "c", "multi_tool_use.", ""},
                  {0, "", "parallel", ""},
                  {0, "", "", uses.substr(0, 20)},
                  {0, "", "", uses.substr(20)}}) == three);
  CHECK(assemble({{0, "c", "multi_tool_use.parallel", uses}, {1, "c_1", "own", "{}"}}).back() ==
        "=made-1 own {}");
}

TEST_CASE("a call that only looks as if it stood for several stays one",
          "[messages][tool_call_assembler]") {
  for (std::string arguments : {
           "{}",
           R"({"tool_uses":[]})",
           R"({"tool_uses":[{"parameters":{}}]})",
           R"({"tool_uses":[{"recipient_name":"multi_tool_use.parallel","parameters":{}}]})",
           R"({"tool_uses":[{"recip)",
       }) {
    INFO(arguments);
    CHECK(assemble({{0, "c", "multi_tool_use.parallel", arguments}}) ==
          lines{"+c multi_tool_use.parallel", "c:" + arguments,
                "=c multi_tool_use.parallel " + arguments});
  }
  std::string many;
  for (size_t n = 0; n <= tool_call_assembler::max_calls; ++n)
    many += (n > 0 ? "," : "") + std::string{R"({"recipient_name":"look","parameters":{}})"};
  CHECK(assemble({{0, "c", "multi_tool_use.parallel", R"({"tool_uses":[)" + many + "]}"}}).size() ==
        3);
}

} // namespace tool_call_assembler_test
