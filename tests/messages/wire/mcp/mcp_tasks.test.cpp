#include "messages/wire/mcp/tasks.hpp"

#include "tests/support/catch.hpp"

namespace mcp_tasks_test {

using namespace troupe;
using std::chrono::milliseconds;

namespace {

constexpr std::string_view whole =
    R"({"taskId":"t\"1","status":"input_required","statusMessage":"wait","createdAt":"2025-01-01",)"
    R"("lastUpdatedAt":"2025-01-02","ttl":60000,"pollInterval":500})";

mcp::task read_task(std::string_view text) {
  mcp::task read;
  auto bad = mcp::parse(text, read);
  INFO(bad.message);
  REQUIRE_FALSE(bad);
  return read;
}

std::string refusal(std::string_view text) {
  mcp::task read;
  auto bad = mcp::parse(text, read);
  CHECK(bad.code == errc::server_protocol);
  return bad.message;
}

} // namespace

TEST_CASE("a task is read and written the same", "[messages][mcp_tasks]") {
  auto read = read_task(whole);
  CHECK(read.id == "t\"1");
  CHECK(read.status == mcp::task_status::input_required);
  CHECK(read.status_message == "wait");
  CHECK(read.created_at == "2025-01-01");
  CHECK(read.last_updated_at == "2025-01-02");
  CHECK(read.ttl == milliseconds{60000});
  CHECK(read.poll_interval == milliseconds{500});
  CHECK(mcp::task_result(read) == whole);
  CHECK(mcp::created_result(read) == R"({"task":)" + std::string{whole} + "}");
  mcp::task made;
  REQUIRE_FALSE(mcp::parse_created(mcp::created_result(read), made));
  CHECK(made.id == read.id);
}

TEST_CASE("five states of a task are known, three are the end", "[messages][mcp_tasks]") {
  struct row {
    std::string name;
    mcp::task_status status;
    bool over;
  };
  for (const auto& each : {row{"working", mcp::task_status::working, false},
                           row{"input_required", mcp::task_status::input_required, false},
                           row{"completed", mcp::task_status::completed, true},
                           row{"failed", mcp::task_status::failed, true},
                           row{"cancelled", mcp::task_status::cancelled, true}}) {
    auto read = read_task(R"({"taskId":"t","ttl":null,"status":")" + each.name + "\"}");
    CHECK(read.status == each.status);
    CHECK(mcp::is_over(read.status) == each.over);
    CHECK(mcp::to_string(read.status) == each.name);
    CHECK(mcp::task_result(read) == R"({"taskId":"t","status":")" + each.name +
                                        R"(","createdAt":"","lastUpdatedAt":"","ttl":null})");
  }
}

TEST_CASE("times that no clock has are bounded", "[messages][mcp_tasks]") {
  auto read = read_task(R"({"taskId":"t","status":"working","ttl":-5,"pollInterval":1e300})");
  CHECK(read.ttl == milliseconds{0});
  CHECK(read.poll_interval == milliseconds{1'000'000'000'000});
  CHECK(read_task(R"({"taskId":"t","status":"working","ttl":"x"})").ttl == milliseconds{0});
}

TEST_CASE("what is no task is refused", "[messages][mcp_tasks]") {
  CHECK(refusal("{}") == "tasks/get: the task has no taskId");
  CHECK(refusal(R"({"taskId":"t","status":"lost"})") ==
        "tasks/get: the status of task \"t\" is none of the five");
  CHECK(refusal(R"({"taskId":"t"})") == "tasks/get: the status of task \"t\" is none of the five");
  CHECK(refusal("[]") == "tasks/get: a JSON object is expected");
  for (size_t cut = 0; cut < whole.size(); ++cut)
    CHECK(refusal(std::string{whole.data(), cut}).find("not JSON") != std::string::npos);
  mcp::task made;
  CHECK(mcp::parse_created(R"({"content":[]})", made).message ==
        "tools/call: the answer to a call as a task has no object \"task\"");
  for (auto text : {"", "{", "[]", R"({"task":[]})", R"({"task":{}})"})
    CHECK(mcp::parse_created(text, made).code == errc::server_protocol);
}

TEST_CASE("a call is made a task", "[messages][mcp_tasks]") {
  CHECK(mcp::as_task_params(R"({"name":"a"})", milliseconds{60000}) ==
        R"({"name":"a","task":{"ttl":60000}})");
  CHECK(mcp::as_task_params(R"({"name":"a"})", milliseconds{0}) == R"({"name":"a","task":{}})");
  CHECK(mcp::task_params("t\"") == R"({"taskId":"t\""})");
}

TEST_CASE("a server's request may ask for a task", "[messages][mcp_tasks]") {
  milliseconds ttl{1};
  CHECK(mcp::asks_for_task(R"({"task":{"ttl":5000}})", ttl));
  CHECK(ttl == milliseconds{5000});
  CHECK(mcp::asks_for_task(R"({"task":{}})", ttl));
  CHECK(ttl == milliseconds{0});
  for (auto text : {"", "{}", "[]", "{", R"({"task":null})", R"({"task":true})"})
    CHECK_FALSE(mcp::asks_for_task(text, ttl));
}

TEST_CASE("messages name the task that they belong to", "[messages][mcp_tasks]") {
  auto related = mcp::with_related_task(R"({"action":"accept","_meta":{"a":1}})", "t\"1");
  CHECK(related == R"({"action":"accept","_meta":{"a":1,)"
                   R"("io.modelcontextprotocol/related-task":{"taskId":"t\"1"}}})");
  CHECK(mcp::related_task(related) == "t\"1");
  CHECK(mcp::task_id_of(R"({"taskId":"x"})") == "x");
  for (auto text : {"", "{}", "[]", "{", R"({"_meta":7,"taskId":7})",
                    R"({"_meta":{"io.modelcontextprotocol/related-task":[]}})"}) {
    CHECK(mcp::related_task(text).empty());
    CHECK(mcp::task_id_of(text).empty());
  }
}

} // namespace mcp_tasks_test
