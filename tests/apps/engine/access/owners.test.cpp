// Owners and what is theirs: every route, and every message of a WebSocket.
#include <algorithm>

#include "tests/apps/engine/access/owner_fixture.hpp"
#include "tests/support/catch.hpp"

namespace owners_test {

using namespace troupe;
using namespace troupe::test;

namespace {

/// What a route has to do with owners.
enum class concern : uint8_t {
  chat,   ///< its ids of chats are the owner's, whoever else has the same
  owner,  ///< it asks for all that the owner has
  shared, ///< what it shows or does is nobody's
  admin,  ///< refused with a plain key
  open    ///< answered without a key
};

/// A good request for one row of the HTTP interface.
struct route_case {
  std::string_view method;
  std::string_view row;  ///< http_route::path
  std::string_view path; ///< with the chat "c"
  concern about;
  std::string_view body = {};
};

constexpr std::string_view message = R"({"message":"hello"})";
constexpr std::string_view approvals = R"({"approvals":[{"approvalId":"a","approved":true}]})";
constexpr std::string_view results = R"({"results":[{"toolCallId":"t","output":1}]})";
constexpr std::string_view resource = R"({"server":"s","uri":"u"})";
constexpr std::string_view completion = R"({"messages":[{"role":"user","content":"hello"}]})";
constexpr std::string_view call = R"({"server":"s","tool":"t","sessionId":"c"})";
constexpr std::string_view argument =
    R"({"server":"s","ref":{"type":"prompt","name":"p"},"argument":{"name":"a","value":"v"}})";
constexpr std::string_view kept = R"({"format":"troupe.conversation","version":1,)"
                                  R"("info":{"id":"c","title":"t"},"messages":[]})";

const std::vector<route_case> cases{
    // turns
    {"POST", "/api/chat", "/api/chat", concern::chat, R"({"id":"c","message":"hello"})"},
    {"GET", "/api/chat/{}/stream", "/api/chat/c/stream", concern::chat},
    {"POST", "/api/chat/{}/stop", "/api/chat/c/stop", concern::chat},
    {"POST", "/v1/sessions/{}/turns", "/v1/sessions/c/turns", concern::chat, message},
    {"GET", "/v1/sessions/{}/events", "/v1/sessions/c/events", concern::chat},
    {"POST", "/v1/sessions/{}/tool-results", "/v1/sessions/c/tool-results", concern::chat, results},
    {"POST", "/v1/sessions/{}/approvals", "/v1/sessions/c/approvals", concern::chat, approvals},
    {"POST", "/v1/sessions/{}/abort", "/v1/sessions/c/abort", concern::chat},
    {"POST", "/v1/chat/completions", "/v1/chat/completions", concern::owner, completion},
    {"POST", "/v1/completions", "/v1/completions", concern::owner, R"({"prompt":"hello"})"},
    {"POST", "/v1/messages", "/v1/messages", concern::owner, completion},
    {"POST", "/v1/messages/count_tokens", "/v1/messages/count_tokens", concern::shared, completion},
    {"POST", "/v1/responses", "/v1/responses", concern::owner, R"({"input":"hello"})"},
    {"GET", "/v1/responses/{}", "/v1/responses/resp_000000000000000000000000_1_c", concern::chat},
    {"POST", "/v1/embeddings", "/v1/embeddings", concern::shared, R"({"input":"hello"})"},
    {"POST", "/api/generate", "/api/generate", concern::owner, R"({"prompt":"hello"})"},
    {"GET", "/api/tags", "/api/tags", concern::shared},
    {"POST", "/api/show", "/api/show", concern::shared, R"({"model":"m"})"},
    {"GET", "/api/version", "/api/version", concern::shared},
    {"GET", "/v1/models", "/v1/models", concern::shared},
    {"GET", "/v1/models/{}", "/v1/models/m", concern::shared},
    {"GET", "/v1/ws", "/v1/ws", concern::shared}, // its messages: below
    // the server
    {"GET", "/v1/status", "/v1/status", concern::admin},
    {"GET", "/metrics", "/metrics", concern::admin},
    {"GET", "/healthz", "/healthz", concern::open},
    {"GET", "/readyz", "/readyz", concern::open},
    {"GET", "/openapi.json", "/openapi.json", concern::open},
    {"GET", "/", "/", concern::open},
    {"GET", "/page/assets/{}", "/page/assets/a.js", concern::open},
    // the MCP host
    {"GET", "/v1/mcp/servers", "/v1/mcp/servers", concern::shared},
    {"GET", "/v1/mcp/servers/{}", "/v1/mcp/servers/s", concern::shared},
    {"PUT", "/v1/mcp/servers/{}", "/v1/mcp/servers/s", concern::admin, R"({"command":"x"})"},
    {"PATCH", "/v1/mcp/servers/{}", "/v1/mcp/servers/s", concern::admin, R"({"enabled":true})"},
    {"DELETE", "/v1/mcp/servers/{}", "/v1/mcp/servers/s", concern::admin},
    {"POST", "/v1/mcp/servers/{}/retry", "/v1/mcp/servers/s/retry", concern::admin},
    {"POST", "/v1/mcp/servers/{}/ping", "/v1/mcp/servers/s/ping", concern::shared},
    {"GET", "/v1/mcp/tools", "/v1/mcp/tools", concern::shared},
    {"POST", "/v1/mcp/tools/call", "/v1/mcp/tools/call", concern::chat, call},
    {"GET", "/v1/mcp/resources", "/v1/mcp/resources", concern::shared},
    {"POST", "/v1/mcp/resources/read", "/v1/mcp/resources/read", concern::shared, resource},
    {"POST", "/v1/mcp/resources/subscribe", "/v1/mcp/resources/subscribe", concern::shared,
     resource},
    {"POST", "/v1/mcp/resources/unsubscribe", "/v1/mcp/resources/unsubscribe", concern::admin,
     resource},
    {"GET", "/v1/mcp/prompts", "/v1/mcp/prompts", concern::shared},
    {"POST", "/v1/mcp/prompts/get", "/v1/mcp/prompts/get", concern::shared,
     R"({"server":"s","name":"p"})"},
    {"POST", "/v1/mcp/complete", "/v1/mcp/complete", concern::shared, argument},
    {"POST", "/v1/mcp/log-level", "/v1/mcp/log-level", concern::admin,
     R"({"server":"s","level":"info"})"},
    {"POST", "/v1/mcp/request", "/v1/mcp/request", concern::admin,
     R"({"server":"s","method":"ping"})"},
    {"GET", "/v1/mcp/events", "/v1/mcp/events", concern::shared}, // its events: below
    {"POST", "/v1/mcp/requests/{}", "/v1/mcp/requests/c", concern::chat, R"({"action":"accept"})"},
    {"POST", "/v1/sessions/{}/attachments", "/v1/sessions/c/attachments", concern::chat, resource},
    {"GET", "/v1/sessions/{}/attachments", "/v1/sessions/c/attachments", concern::chat},
    {"DELETE", "/v1/sessions/{}/attachments/{}", "/v1/sessions/c/attachments/a", concern::chat},
    // conversations
    {"GET", "/v1/conversations", "/v1/conversations", concern::owner},
    {"DELETE", "/v1/conversations", "/v1/conversations?all=true", concern::owner},
    {"GET", "/v1/conversations/search", "/v1/conversations/search?q=x", concern::owner},
    {"GET", "/v1/conversations/{}", "/v1/conversations/c", concern::chat},
    {"PATCH", "/v1/conversations/{}", "/v1/conversations/c", concern::chat, R"({"title":"t"})"},
    {"DELETE", "/v1/conversations/{}", "/v1/conversations/c", concern::chat},
    {"POST", "/v1/conversations/{}/branch", "/v1/conversations/c/branch", concern::chat, "{}"},
    {"GET", "/v1/conversations/{}/export", "/v1/conversations/c/export", concern::chat},
    {"POST", "/v1/conversations/import", "/v1/conversations/import", concern::owner, kept},
    {"GET", "/v1/conversations/{}/overrides", "/v1/conversations/c/overrides", concern::chat},
    {"PUT", "/v1/conversations/{}/overrides", "/v1/conversations/c/overrides", concern::chat, "{}"},
    {"GET", "/v1/usage", "/v1/usage", concern::owner},
    // uploaded files
    // (their messages cannot be written down: the integration test `files` has two owners)
    {"POST", "/v1/files", "/v1/files", concern::shared},
    {"GET", "/v1/files", "/v1/files", concern::shared},
    {"GET", "/v1/files/{}", "/v1/files/f", concern::shared},
    {"GET", "/v1/files/{}/content", "/v1/files/f/content", concern::shared},
    {"DELETE", "/v1/files/{}", "/v1/files/f", concern::shared},
};

const route_case* find_case(const http_route& row) {
  auto found = std::find_if(cases.begin(), cases.end(), [&](const auto& each) {
    return each.method == row.method && each.row == row.path;
  });
  return found == cases.end() ? nullptr : &*found;
}

bool holds(std::string_view text, std::string_view what) {
  return text.find(what) != text.npos;
}

kept_response& send(owner_fixture& world, const std::string& key, const route_case& which) {
  return world.request(key, which.method, which.path, std::string{which.body});
}

/// Checks the request of one owner while another one has a chat of the same name.
void check_owner_of(owner_fixture& world, const route_case& which, const std::string& key,
                    const std::string& owner, const std::string& other) {
  INFO(which.method << ' ' << which.path << " of " << owner);
  world.heard();
  auto& answer = send(world, key, which);
  const auto asked = world.heard();
  INFO("asked: " << asked);
  CHECK_FALSE(holds(asked, other));
  CHECK_FALSE(holds(answer.body, other));
  CHECK_FALSE(holds(answer.body, "\x1f"));
  CHECK_FALSE(holds(answer.body, "\\u001f"));
  if (which.about == concern::chat)
    CHECK(holds(asked, owner + "\x1f" + "c"));
  if (which.about == concern::owner)
    CHECK(holds(asked, owner));
}

} // namespace

TEST_CASE("every route has a case of two owners", "[apps][owners]") {
  for (const auto& table : route_tables())
    for (const auto& row : table) {
      INFO(row.method << ' ' << row.path);
      CHECK(find_case(row) != nullptr);
    }
}

TEST_CASE("what an owner asks for is the owner's own, on every route", "[apps][owners]") {
  for (const auto& table : route_tables())
    for (const auto& row : table) {
      const auto* which = find_case(row);
      if (which == nullptr || which->row == "/v1/ws")
        continue;
      owner_fixture world;
      check_owner_of(world, *which, world.alice.key, "ALICE", "BOB");
      if (which->about != concern::admin)
        check_owner_of(world, *which, world.bob.key, "BOB", "ALICE");
    }
}

TEST_CASE("no route but the open ones is there without a key", "[apps][owners]") {
  owner_fixture world;
  for (const auto& table : route_tables())
    for (const auto& row : table) {
      const auto* which = find_case(row);
      if (which == nullptr)
        continue;
      INFO(row.method << ' ' << row.path);
      world.heard();
      auto& answer = send(world, "", *which);
      if (which->about == concern::open) {
        CHECK(answer.status != 401);
        continue;
      }
      CHECK(answer.status == 401);
      CHECK(find_header(answer.fields, "www-authenticate") == "Bearer");
      CHECK(world.heard().empty());
    }
  CHECK(world.request("", "GET", "/v1/nothing").status == 401);
  CHECK(world.request(world.bob.key, "GET", "/v1/nothing").status == 404);
}

TEST_CASE("what is for admins is refused with a plain key", "[apps][owners]") {
  owner_fixture world;
  for (const auto& table : route_tables())
    for (const auto& row : table) {
      const auto* which = find_case(row);
      if (which == nullptr)
        continue;
      INFO(row.method << ' ' << row.path);
      CHECK((row.access == route_access::admins) == (which->about == concern::admin));
      CHECK((row.access == route_access::everybody) == (which->about == concern::open));
      if (which->about != concern::admin)
        continue;
      world.heard();
      CHECK(send(world, world.bob.key, *which).status == 403);
      CHECK(world.heard().empty());
      CHECK(send(world, world.alice.key, *which).status != 403);
    }
}

TEST_CASE("turns carry how many of their owner may run", "[apps][owners]") {
  owner_fixture world;
  api_key limited;
  std::string key;
  REQUIRE_FALSE(make_key(limited, key));
  limited.owner = "carol";
  limited.concurrent_turns = 7;
  world.api.keys()->update({{}, {limited}});
  for (const auto& path : {"/v1/sessions/c/turns", "/v1/chat/completions"}) {
    world.request(key, "POST", path,
                  std::string{holds(path, "completions") ? completion : message});
    const auto asked = world.heard();
    INFO(asked);
    CHECK(holds(asked, ", 7, 1024)"));
  }
}

} // namespace owners_test
