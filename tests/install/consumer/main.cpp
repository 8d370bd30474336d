// One turn of the scripted model and a question to the MCP side, in this process, without a server.
#include <cstdio>
#include <string>
#include <variant>

#include <troupe/engine.hpp>

int main() {
  troupe::engine_config config;
  config.shards = 1;
  troupe::engine engine{config};
  troupe::turn_request ask;
  ask.session_id = "hello";
  ask.messages.push_back(troupe::user_message("Say this back."));
  ask.options.model = "echo";
  std::string text;
  bool ended = false;
  for (const auto& batch : engine.stream(ask))
    for (const auto& event : batch.events) {
      if (const auto* delta = std::get_if<troupe::text_delta>(&event))
        text += delta->text;
      ended = std::holds_alternative<troupe::session_end>(event);
    }
  auto called = engine.mcp().call_tool({"", "nobody", "echo", "{}"});
  ended =
      ended && engine.mcp().servers().empty() && called.error.code == troupe::errc::server_unknown;
  std::puts(text.c_str());
  // It ends with the process, after all that is static and was made later than it.
  static troupe::engine lasting{config};
  troupe::mcp_server_config mute;
  mute.name = "mute";
  mute.command = "cat";
  ended = ended && !lasting.mcp().put_server(mute);
  return ended && text == "Say this back." ? 0 : 1;
}
