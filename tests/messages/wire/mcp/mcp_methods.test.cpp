#include "messages/wire/mcp/methods.hpp"

#include "tests/support/catch.hpp"

namespace mcp_methods_test {

using namespace troupe;

TEST_CASE("a method is found with what it needs", "[messages][mcp_methods]") {
  using offer = mcp::server_capabilities;
  struct row {
    std::string_view name;
    bool offer::*needs;
  };
  for (auto [name, needs] :
       {row{"tools/list", &offer::tools}, row{"tools/call", &offer::tools},
        row{"resources/list", &offer::resources},
        row{"resources/templates/list", &offer::resources},
        row{"resources/read", &offer::resources},
        row{"resources/subscribe", &offer::resources_subscribe},
        row{"resources/unsubscribe", &offer::resources_subscribe},
        row{"prompts/list", &offer::prompts}, row{"prompts/get", &offer::prompts},
        row{"completion/complete", &offer::completions}, row{"logging/setLevel", &offer::logging},
        row{"tasks/get", &offer::tasks}, row{"tasks/result", &offer::tasks},
        row{"tasks/list", &offer::tasks}, row{"tasks/cancel", &offer::tasks},
        row{"ping", nullptr}}) {
    INFO(name);
    const auto* found = mcp::find_method(name);
    REQUIRE(found != nullptr);
    CHECK(found->name == name);
    CHECK(found->needs == needs);
    CHECK(found->repeatable == (name != "tools/call" && name != "tasks/cancel"));
  }
}

TEST_CASE("clients may not send every method", "[messages][mcp_methods]") {
  for (auto name : {"", "initialize", "notifications/cancelled", "roots/list", "Ping", "tools/"})
    CHECK(mcp::find_method(name) == nullptr);
}

TEST_CASE("a progress token goes into the meta data", "[messages][mcp_methods]") {
  struct row {
    const char* params;
    const char* expected;
  };
  for (auto [params, expected] :
       {row{"", R"({"_meta":{"progressToken":7}})"}, row{"{}", R"({"_meta":{"progressToken":7}})"},
        row{" { } ", R"({"_meta":{"progressToken":7}})"},
        row{R"({"uri" : "a" })", R"({"uri" : "a","_meta":{"progressToken":7}})"},
        row{R"({"_meta":{"a": 1},"uri":"a"})", R"({"uri":"a","_meta":{"a": 1,"progressToken":7}})"},
        row{R"({"_meta":{"progressToken":"x","b":2}})", R"({"_meta":{"b":2,"progressToken":7}})"},
        row{R"({"_meta":null})", R"({"_meta":{"progressToken":7}})"},
        row{R"({"a\"b":1,"_meta":7})", R"({"a\"b":1,"_meta":{"progressToken":7}})"},
        row{"[1]", R"({"_meta":{"progressToken":7}})"}}) {
    INFO(params);
    CHECK(mcp::with_progress_token(params, 7) == expected);
  }
}

} // namespace mcp_methods_test
