// What /v1/conversations answers, and whom it asks.
#include "messages/wire/clients/conversation/conversation_json.hpp"
#include "tests/apps/engine/http/routes/conversations/conversation_routes_fixture.hpp"
#include "tests/support/catch.hpp"

namespace conversation_routes_test {

using namespace troupe;
using namespace troupe::test;

namespace {

chat_message says(role who, std::string text, std::string id) {
  chat_message out;
  out.who = who;
  out.text = std::move(text);
  out.id = std::move(id);
  return out;
}

/// A world with the conversation "c" of nobody, and one of alice's with the same id.
class two_owners : public conversation_routes_fixture {
public:
  two_owners() {
    store.put("c", {says(role::user, "hello", "u1"), says(role::assistant, "Hi.", "a1")});
    store.put(scoped_id("alice", "c"), {says(role::user, "secret", "u1")});
  }

  std::string code(const std::string& method, const std::string& target, request_parts with = {}) {
    auto answer = fetch(method, target, std::move(with));
    auto from = answer->body.find(R"("code":")");
    auto text = from == std::string::npos ? "" : answer->body.substr(from + 8);
    return std::to_string(answer->status) + ' ' + text.substr(0, text.find('"'));
  }
};

const std::string file = R"({"format":"troupe.conversation","version":1,"info":{"id":"new",)"
                         R"("title":"T"},"messages":[{"message":{"text":"x"}}]})";

} // namespace

TEST_CASE_METHOD(two_owners, "an owner sees and changes their own conversations only",
                 "[apps][conversations]") {
  CHECK(fetch("GET", "/v1/conversations")->says(R"("title":"hello")"));
  CHECK(fetch("GET", "/v1/conversations", {.owner = "alice"})->says(R"("title":"secret")"));
  CHECK_FALSE(fetch("GET", "/v1/conversations", {.owner = "alice"})->says("hello"));
  CHECK(fetch("GET", "/v1/conversations/c", {.owner = "alice"})->says("secret"));
  CHECK(fetch("GET", "/v1/conversations/search?q=secret")->says(R"("hits":[])"));
  CHECK(fetch("GET", "/v1/conversations/search?q=secret", {.owner = "alice"})->says("secret"));
  CHECK(fetch("PATCH", "/v1/conversations/c", {R"({"title":"B"})", {}, "bob"})->status == 404);
  CHECK(fetch("DELETE", "/v1/conversations/c", {.owner = "bob"})->status == 404);
  CHECK(fetch("POST", "/v1/conversations/c/branch", {.owner = "bob"})->status == 404);
  CHECK(fetch("DELETE", "/v1/conversations/c", {.owner = "alice"})->status == 200);
  CHECK(fetch("GET", "/v1/conversations/c", {.owner = "alice"})->status == 404);
  CHECK(fetch("GET", "/v1/conversations/c")->status == 200);
}

TEST_CASE_METHOD(two_owners, "an id of a client cannot reach into another owner's chats",
                 "[apps][conversations]") {
  const std::string path = "/v1/conversations/alice\x1f"
                           "c";
  for (const std::string method : {"GET", "PATCH", "DELETE"})
    CHECK(code(method, path, {R"({"title":"x"})"}) == "400 request_invalid");
  CHECK(code("GET", path + "/export") == "400 request_invalid");
  CHECK(code("GET", path + "/overrides") == "400 request_invalid");
  CHECK(code("PUT", path + "/overrides", {"{}"}) == "400 request_invalid");
  CHECK(code("POST", path + "/branch") == "400 request_invalid");
  CHECK(code("POST", "/v1/conversations/c/branch", {R"({"id":"alice\u001fz"})"}) ==
        "400 request_invalid");
  CHECK(code("POST", "/v1/conversations/import?id=alice%1Fz", {file}) == "400 request_invalid");
  CHECK(log.empty());
}

TEST_CASE_METHOD(two_owners, "a page has as many as were asked for", "[apps][conversations]") {
  store.put("d", {says(role::user, "two", "u1")});
  auto first = fetch("GET", "/v1/conversations?limit=1");
  CHECK(first->says(R"("next":"1")"));
  CHECK(fetch("GET", "/v1/conversations?limit=1&cursor=1")->says(R"("next":null)"));
  CHECK(asked.cursor == "1");
  fetch("GET", "/v1/conversations");
  CHECK(asked.limit == 50);
  for (const std::string limit : {"0", "1001", "-1", "x", "1x", "99999999999"})
    CHECK(code("GET", "/v1/conversations?limit=" + limit) == "400 request_invalid");
  CHECK(code("GET", "/v1/conversations?cursor=" + std::string(1025, 'x')) == "400 request_invalid");
  CHECK(code("GET", "/v1/conversations/search?q=a&limit=101") == "400 request_invalid");
  CHECK(code("GET", "/v1/conversations/search") == "400 request_invalid");
  CHECK(code("GET", "/v1/conversations/search?q=%20") == "400 request_invalid");
}

TEST_CASE_METHOD(two_owners, "who has seen a version is not sent it again",
                 "[apps][conversations]") {
  for (const std::string path : {"/v1/conversations/c", "/v1/conversations/c/export"}) {
    auto first = fetch("GET", path);
    CHECK(first->status == 200);
    CHECK(first->field("etag") == "\"v1\"");
    CHECK(first->field("cache-control") == "private, no-cache");
    for (const std::string seen : {"\"v1\"", "W/\"v1\"", "\"v7\", \"v1\"", "*"}) {
      auto again = fetch("GET", path, {.fields = {{"if-none-match", seen}}});
      CHECK(again->status == 304);
      CHECK(again->body.empty());
      CHECK(again->field("etag") == "\"v1\"");
    }
    for (const std::string other : {"\"v2\"", "\"1\"", "v1", "\"v1x\"", "\"v\"", ","})
      CHECK(fetch("GET", path, {.fields = {{"if-none-match", other}}})->status == 200);
  }
}

TEST_CASE_METHOD(two_owners, "of two who change one version the second is told",
                 "[apps][conversations]") {
  auto rename = [this](const std::string& tag) {
    return fetch("PATCH", "/v1/conversations/c", {R"({"title":"new"})", {{"if-match", tag}}, ""});
  };
  auto first = rename("\"v1\"");
  CHECK(first->status == 200);
  CHECK(first->field("etag") == "\"v2\"");
  CHECK(first->says(R"("title":"new")"));
  CHECK(rename("\"v1\"")->status == 412);
  CHECK(rename("\"other\"")->status == 412);
  CHECK(rename("\"v1\", \"v2\"")->status == 400);
  CHECK(rename("W/\"v2\"")->status == 200);
  CHECK(rename("*")->status == 200);
  auto put = [this](const std::string& tag) {
    return fetch("PUT", "/v1/conversations/c/overrides", {"{}", {{"if-match", tag}}, ""});
  };
  CHECK(put("\"v3\"")->status == 412);
  CHECK(put("\"v4\"")->field("etag") == "\"v5\"");
}

TEST_CASE_METHOD(two_owners, "a removal ends the session before and after",
                 "[apps][conversations]") {
  CHECK(fetch("DELETE", "/v1/conversations/c")->body == "{}");
  CHECK(log == std::vector<std::string>{"abort c", "store 1", "abort c"});
  CHECK(code("DELETE", "/v1/conversations/c") == "404 conversation_unknown");
}

TEST_CASE_METHOD(two_owners, "a removal of a version looks at it before the turn is aborted",
                 "[apps][conversations]") {
  ending = [this] { // what the aborted turn saves is a new version
    save_chat none;
    none.session_id = "c";
    none.keep = 2;
    if (store.data.find("c") != nullptr)
      store.data.save(none);
  };
  auto remove = [this](const std::string& tag) {
    return fetch("DELETE", "/v1/conversations/c", {"", {{"if-match", tag}}, ""})->status;
  };
  CHECK(remove("\"v7\"") == 412);
  CHECK(log.empty());
  CHECK(remove("\"v1\"") == 200);
  CHECK(store.at("c").messages.empty());
}

TEST_CASE_METHOD(two_owners, "overrides are kept, then the session has to load them",
                 "[apps][conversations]") {
  settings.models["fast"] = {};
  hub_says = {errc::session_busy, ""}; // a turn runs; the next one loads them
  auto answer =
      fetch("PUT", "/v1/conversations/c/overrides", {R"({"model":"fast","mcpServers":["a"]})"});
  CHECK(answer->status == 200);
  CHECK(answer->body == R"({"model":"fast","mcpServers":["a"]})");
  CHECK(log == std::vector<std::string>{"store 2", "end c"});
  CHECK(fetch("GET", "/v1/conversations/c/overrides")->body == answer->body);
  CHECK(code("PUT", "/v1/conversations/c/overrides", {R"({"model":"slow"})"}) ==
        "404 model_unknown");
  CHECK(code("PUT", "/v1/conversations/c/overrides", {R"({"more":1})"}) == "400 request_invalid");
  CHECK(fetch("GET", "/v1/conversations/c/overrides")->body == answer->body);
}

TEST_CASE_METHOD(two_owners, "a slash that is encoded is a part of the chat's id",
                 "[apps][conversations]") {
  CHECK(fetch("POST", "/v1/conversations/c/branch", {R"({"id":"c/export"})"})->status == 201);
  CHECK(fetch("GET", "/v1/conversations/c%2Fexport")->says(R"("id":"c/export")"));
  CHECK_FALSE(fetch("GET", "/v1/conversations/c%2Fexport")->says(R"("format":)"));
  CHECK(fetch("GET", "/v1/conversations/c%2fexport/export")->says(R"("format":)"));
  CHECK(fetch("GET", "/v1/conversations/c/export")->says(R"("format":)"));
}

TEST_CASE_METHOD(two_owners, "a branch ends where it is told to", "[apps][conversations]") {
  auto made =
      fetch("POST", "/v1/conversations/c/branch", {R"({"messageId":"u1","id":"b/1","title":"B"})"});
  CHECK(made->status == 201);
  CHECK(made->field("location") == "/v1/conversations/b%2F1");
  CHECK(made->field("etag") == "\"v2\""); // one more than where it comes from
  CHECK(made->says(R"("id":"b/1","title":"B")"));
  CHECK(store.at("b/1").messages.size() == 1);
  CHECK(log == std::vector<std::string>{"store 3", "end b/1"});
  CHECK(code("POST", "/v1/conversations/c/branch", {R"({"id":"b/1"})"}) ==
        "409 conversation_exists");
  auto whole = fetch("POST", "/v1/conversations/c/branch");
  CHECK(whole->status == 201);
  CHECK(whole->field("location").starts_with("/v1/conversations/chat_"));
  CHECK(whole->says(R"("messageCount":2)"));
  CHECK(code("POST", "/v1/conversations/c/branch", {R"({"from":1})"}) == "400 request_invalid");
}

TEST_CASE_METHOD(two_owners, "what was exported can be imported under another id",
                 "[apps][conversations]") {
  auto kept = fetch("GET", "/v1/conversations/c/export")->body;
  CHECK(code("POST", "/v1/conversations/import", {kept}) == "409 conversation_exists");
  auto made = fetch("POST", "/v1/conversations/import?id=d", {kept});
  CHECK(made->status == 201);
  CHECK(made->field("location") == "/v1/conversations/d");
  CHECK(to_json(store.at("d").messages) == to_json(store.at("c").messages));
  auto theirs = fetch("POST", "/v1/conversations/import", {kept, {}, "bob"});
  CHECK(theirs->status == 201);
  CHECK(store.at(scoped_id("bob", "c")).messages.size() == 2);
  CHECK(fetch("POST", "/v1/conversations/import", {file})->says(R"("id":"new")"));
  CHECK(code("POST", "/v1/conversations/import", {"{}"}) == "400 request_invalid");
}

TEST_CASE_METHOD(two_owners, "bodies are refused by what is wrong", "[apps][conversations]") {
  auto refuses = [this](const std::string& body, const std::string& why) {
    auto answer = fetch("PATCH", "/v1/conversations/c", {body});
    INFO(body << " -> " << answer->body);
    CHECK(answer->status == 400);
    CHECK(answer->says(why));
  };
  refuses("", "the body is not valid JSON");
  refuses("{}", "title");
  refuses(R"({"title":1})", "title must be a string");
  refuses(R"({"title":"a","name":"b"})", "name");
  refuses(R"({"title":")" + std::string(1025, 'x') + R"("})", "title must have at most 1024");
  CHECK(log.empty());
}

TEST_CASE_METHOD(two_owners, "imports are made one after the other, and only so many wait",
                 "[apps][conversations]") {
  CHECK(code("POST", "/v1/conversations/import?id=n", {"{"}) == "400 request_invalid");
  CHECK(fetch("POST", "/v1/conversations/import?id=n", {file})->status == 201);
  log.clear();
  silent = true;
  for (size_t i = 0; i <= most_waiting_imports; ++i)
    CHECK(fetch("POST", "/v1/conversations/import?id=m", {file})->status == 0);
  CHECK(code("POST", "/v1/conversations/import?id=m", {file}) == "429 rate_limited");
  CHECK(log == std::vector<std::string>{"store 4"});
}

TEST_CASE_METHOD(two_owners, "usage is of days", "[apps][conversations]") {
  CHECK(fetch("GET", "/v1/usage?from=2026-11-01&to=2026-11-30")->says(R"({"usage":[],"total":)"));
  for (const std::string query :
       {"from=yesterday", "from=2026-13-45", "to=2026-02-30", "to=1795270998000",
        "from=2026-11-01&to=2026-11-31", "from=2026-11-01T00:00:00Z"})
    CHECK(code("GET", "/v1/usage?" + query) == "400 request_invalid");
  CHECK(fetch("GET", "/v1/usage?from=2026-11-01&to=2026-11-31")->says("to must be a day like"));
}

TEST_CASE_METHOD(two_owners, "a store that fails is a typed error", "[apps][conversations]") {
  store.changing = {errc::store_full, ""};
  CHECK(code("PATCH", "/v1/conversations/c", {R"({"title":"x"})"}) == "503 store_full");
  store.loading = {errc::store_locked, ""};
  CHECK(code("GET", "/v1/conversations") == "503 store_locked");
  CHECK(code("GET", "/v1/conversations/c") == "503 store_locked");
}

TEST_CASE_METHOD(two_owners, "a store that hangs is given 30 seconds", "[apps][conversations]") {
  silent = true;
  auto list = fetch("GET", "/v1/conversations");
  auto rename = fetch("PATCH", "/v1/conversations/c", {R"({"title":"x"})"});
  CHECK(list->sent + rename->sent == 0);
  advance(std::chrono::milliseconds{30'001});
  for (const auto& each : {list, rename}) {
    CHECK(each->status == 503);
    CHECK(each->says("store_timeout"));
  }
}

TEST_CASE_METHOD(two_owners, "without a store the answer says how to get one",
                 "[apps][conversations]") {
  sys.registry().erase(conversation_store_name);
  sys.registry().erase(conversation_reader_name);
  for (const auto& [method, target, body] :
       std::vector<std::array<std::string, 3>>{{"GET", "/v1/conversations", ""},
                                               {"GET", "/v1/conversations/c", ""},
                                               {"GET", "/v1/usage", ""},
                                               {"PATCH", "/v1/conversations/c", R"({"title":"x"})"},
                                               {"POST", "/v1/conversations/import", file}}) {
    auto answer = fetch(method, target, {body});
    CHECK(answer->status == 501);
    CHECK(answer->says("--data"));
  }
  settings.store.folder = "/data";
  CHECK(code("GET", "/v1/conversations") == "503 store_failed");
}

} // namespace conversation_routes_test
