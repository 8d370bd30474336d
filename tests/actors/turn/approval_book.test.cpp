#include "actors/turn/approval_book.hpp"

#include "tests/support/catch.hpp"

namespace approval_book_test {

using namespace troupe;
using namespace std::chrono_literals;

namespace {

const approval_book::time_point start{1h};

planned_call asking(const std::string& approval_id, const std::string& id) {
  planned_call made;
  made.call = {id, "sum", R"({"x":1})"};
  made.server = "two";
  made.stage = call_stage::asking;
  made.approval_id = approval_id;
  made.due = start + 5min;
  return made;
}

approval_book book_of_two() {
  approval_book book;
  book.keep({asking("appr_1", "a"), asking("appr_2", "b")});
  return book;
}

const std::vector<tool_call> both_open{{"a", "sum", "{}"}, {"b", "sum", "{}"}};

} // namespace

TEST_CASE("an approved call is run as it was asked for, a refused one is not",
          "[actors][approval_book]") {
  auto calls =
      book_of_two().answered({{"appr_1", true, ""}, {"appr_2", false, "No."}}, both_open, start);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].stage == call_stage::planned);
  CHECK(calls[0].error == errc::none);
  CHECK(calls[0].call.arguments == R"({"x":1})"); // the history says {}
  CHECK(calls[0].server == "two");
  CHECK(calls[1].error == errc::tool_denied);
  CHECK(calls[1].result == "The user did not allow the call. No.");
}

TEST_CASE("the first answer to a call counts", "[actors][approval_book]") {
  auto calls =
      book_of_two().answered({{"appr_1", false, ""}, {"appr_1", true, ""}}, both_open, start);
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].error == errc::tool_denied);
}

TEST_CASE("an approval after its time does not count", "[actors][approval_book]") {
  auto book = book_of_two();
  CHECK(book.answered({{"appr_1", true, ""}}, both_open, start + 5min - 1ms)[0].error ==
        errc::none);
  CHECK(book.answered({{"appr_1", true, ""}}, both_open, start + 5min)[0].error ==
        errc::tool_denied);
}

TEST_CASE("an id that nobody gave allows nothing", "[actors][approval_book]") {
  auto book = book_of_two();
  CHECK_FALSE(book.knows_any({{"appr_3", true, ""}}));
  CHECK(book.knows_any({{"appr_3", true, ""}, {"appr_2", true, ""}}));
  auto calls = book.answered({{"appr_3", true, ""}, {"appr_2", true, ""}}, both_open, start);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].call.id == "b");
  CHECK(calls[0].error == errc::none);
  CHECK(calls[1].call.id == "a");
  CHECK(calls[1].error == errc::tool_denied);
  CHECK(calls[1].result == "The approval is not known any more; the call was not run.");
}

TEST_CASE("a call that has its result is not run again", "[actors][approval_book]") {
  auto calls = book_of_two().answered({{"appr_1", true, ""}}, {{"b", "sum", "{}"}}, start);
  CHECK(calls.empty());
}

TEST_CASE("a policy names tools, servers, or everything", "[actors][approval_book]") {
  approval_policy policy;
  const auto needs = [&policy](const std::string& server, const std::string& tool) {
    planned_call call;
    call.server = server;
    call.server_tool = tool;
    return needs_approval(policy, call);
  };
  CHECK_FALSE(needs("one", "echo"));
  policy.tools = {"one/echo", "two/*"};
  CHECK(needs("one", "echo"));
  CHECK_FALSE(needs("one", "add"));
  CHECK(needs("two", "anything"));
  policy.tools.clear();
  policy.always = true;
  CHECK(needs("one", "add"));
}

TEST_CASE("a policy leaves out tools that read only, and those of automatic approvals",
          "[actors][approval_book]") {
  approval_policy policy;
  planned_call writes, reads, approved;
  reads.read_only = true;
  approved.approved = true;
  policy.unless_read_only = true;
  CHECK(needs_approval(policy, writes));
  CHECK_FALSE(needs_approval(policy, reads));
  CHECK_FALSE(needs_approval(policy, approved));
  policy.always = true;
  CHECK(needs_approval(policy, reads));
  CHECK_FALSE(needs_approval(policy, approved));
}

} // namespace approval_book_test
