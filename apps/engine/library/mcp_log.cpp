#include "apps/engine/library/mcp_log.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "messages/ports/log_line.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr std::string_view what = "mcp_server";

class mcp_log {
public:
  explicit mcp_log(std::shared_ptr<log_port> log) : log_(std::move(log)) {}

  void on_event(const mcp_event& event) {
    if (event.kind == "server")
      return on_server(event.server, event.data.text);
    if (event.kind != "serverRemoved")
      return;
    last_.erase(event.server);
    log_line line;
    write_log(log_.get(), log_level::info, what,
              line.add("server", event.server).add("health", "removed"));
  }

private:
  void on_server(const std::string& name, std::string_view json) {
    json_source source{json};
    std::string_view health, error, attempt, tools, version, enabled;
    read_members(source.root(), {{"health", &health},
                                 {"enabled", &enabled},
                                 {"error", &error},
                                 {"attempt", &attempt},
                                 {"tools", &tools},
                                 {"protocolVersion", &version}});
    auto now = json_string(health);
    auto failed = now == "error";
    // The same failure again and again, every 30 s, is said once.
    auto state = failed ? now + std::string{error} : now;
    if (now == "idle" && enabled == "true")
      state.clear(); // not disabled: it is only connected again
    auto [known, is_new] = last_.try_emplace(name);
    if (now == "connecting" || std::exchange(known->second, state) == state)
      return;
    if (state.empty() || (is_new && now == "idle"))
      return; // it has been disabled from the start
    log_line line;
    line.add("server", name).add("health", now);
    if (failed)
      add_error(line, error).add("attempt", raw_json{std::string{attempt}});
    else if (now == "success")
      line.add("tools", raw_json{std::string{tools}}).add("protocolVersion", json_string(version));
    write_log(log_.get(), failed ? log_level::warning : log_level::info, what, line);
  }

  static log_line& add_error(log_line& line, std::string_view error) {
    std::string_view code, message;
    read_members(error, {{"code", &code}, {"message", &message}});
    return line.add("error", json_string(code)).add("message", json_string(message));
  }

  std::shared_ptr<log_port> log_;
  std::map<std::string, std::string> last_; ///< last logged state by server; empty: none
};

} // namespace

std::function<void(const mcp_event&)> mcp_log_writer(std::shared_ptr<log_port> log) {
  auto writer = std::make_shared<mcp_log>(std::move(log));
  return [writer](const mcp_event& what) { writer->on_event(what); };
}

} // namespace troupe
