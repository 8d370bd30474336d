// What MCP servers and the ways to them say about failures is for the operator.
#include <string>
#include <string_view>

#include "messages/mcp/server_status.hpp"
#include "messages/mcp/tool_messages.hpp"
#include "tests/apps/engine/access/owner_fixture.hpp"
#include "tests/support/catch.hpp"

namespace inner_texts_test {

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr std::string_view secret = "cannot reach 10.1.2.3:8080";

/// Two owners before an MCP hub whose server has failed.
class failed_server : public owner_fixture {
public:
  failed_server() {
    sys.registry().erase(mcp_hub_name);
    hub_ = sys.spawn([](caf::event_based_actor* me) -> caf::behavior {
      return {[](const mcp_ask&) {
                return mcp_answer{of_server(), {}};
              },
              [me](const call_tool& call) {
                const auto bad = of_server();
                me->send(caf::actor_cast<caf::actor>(me->current_sender()),
                         tool_outcome{call.tool_call_id, bad.code, bad.message, {}});
              },
              [](atom::status) {
                server_status status;
                status.name = "s";
                status.error = of_server().code;
                status.error_text = of_server().message;
                return server_list{{status}, 0};
              }};
    });
    sys.registry().put(mcp_hub_name, caf::actor_cast<caf::strong_actor_ptr>(hub_));
  }
  ~failed_server() { caf::anon_send_exit(hub_, caf::exit_reason::kill); }

private:
  static failure of_server() { return {errc::server_unavailable, std::string{secret}}; }

  caf::actor hub_;
};

} // namespace

TEST_CASE("who is no admin gets the code of a server's failure, not its text", "[apps][owners]") {
  struct row {
    std::string_view method;
    std::string_view path;
    std::string_view body;
  };
  failed_server world;
  for (const auto& each :
       std::vector<row>{{"GET", "/v1/mcp/servers", ""},
                        {"GET", "/v1/mcp/servers/s", ""},
                        {"POST", "/v1/mcp/servers/s/ping", ""},
                        {"POST", "/v1/mcp/tools/call", R"({"server":"s","tool":"t"})"},
                        {"POST", "/v1/mcp/prompts/get", R"({"server":"s","name":"p"})"},
                        {"POST", "/v1/mcp/complete",
                         R"({"server":"s","ref":{"type":"ref/prompt","name":"p"},)"
                         R"("argument":{"name":"a","value":"v"}})"}}) {
    INFO(each.method << ' ' << each.path);
    const auto& of_bob =
        world.request(world.bob.key, each.method, each.path, std::string{each.body});
    CHECK(of_bob.body.find("server_unavailable") != std::string::npos);
    CHECK(of_bob.body.find(secret) == std::string::npos);
    const auto& of_admin =
        world.request(world.alice.key, each.method, each.path, std::string{each.body});
    CHECK(of_admin.body.find(secret) != std::string::npos);
  }
}

} // namespace inner_texts_test
