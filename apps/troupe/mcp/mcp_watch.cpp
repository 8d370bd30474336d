#include "apps/troupe/mcp/mcp_watch.hpp"

#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/mcp/mcp_command_bodies.hpp"
#include "apps/troupe/signals.hpp"
#include "apps/troupe/terminal/terminal_output.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

/// The end of a watch: a signal or the server, whichever is first.
class end_of_watch {
public:
  /// @param why for people; "" = a signal, or stdout is lost
  void set(std::string why) {
    std::lock_guard guard{mutex_};
    if (!why_)
      why_ = std::move(why);
    is_set_.notify_all();
  }

  std::string wait() {
    std::unique_lock lock{mutex_};
    is_set_.wait(lock, [this] { return why_.has_value(); });
    return *why_;
  }

private:
  std::mutex mutex_;
  std::condition_variable is_set_;
  std::optional<std::string> why_;
};

/// Returns whether the event concerns this server. A "lagged" event may concern any.
bool is_of(const std::string& server, const sse_event& said) {
  if (server.empty() || said.type == "lagged")
    return true;
  json_source source{said.data};
  std::string_view name;
  read_members(source.root(), {{said.type.starts_with("server") ? "name" : "server", &name}});
  return json_string(name) == server;
}

/// Returns whether stdout takes more.
bool print(const sse_event& said) {
  return write_out(
      for_stdout(fmt::format("{{\"event\":\"{}\",\"data\":{}}}\n", said.type, said.data)));
}

int refuse(const std::string& why) {
  fmt::print(stderr, "troupe: {}\n", why);
  return exit_failed;
}

/// Checks that the server exists, then subscribes to the named resources.
server_answer prepare(const mcp_options& options, server_client& server) {
  server_answer answer;
  answer.status = 200;
  if (!options.server.empty())
    answer = server.send("GET", "/v1/mcp/servers/" + path_segment(options.server));
  for (size_t i = 0; i < options.pairs.size() && answer.ok(); ++i) {
    auto wanted = options;
    wanted.uri = options.pairs[i];
    answer = server.send("POST", "/v1/mcp/resources/subscribe", resource_body(wanted));
  }
  return answer;
}

} // namespace

int watch_verb(const mcp_options& options, mcp_client& client) {
  auto end = std::make_shared<end_of_watch>();
  on_signals([end](int) { end->set(""); });
  auto events = client.server().follow(
      "/v1/mcp/events",
      [end, only = options.server](const sse_event& said) {
        if (is_of(only, said) && !print(said))
          end->set(""); // nobody reads on, or it cannot be written: main() looks which
      },
      [end](const server_answer& said) {
        end->set(said.ok() ? "the server ended the events" : said.complaint());
      });
  if (auto answer = prepare(options, client.server()); !answer.ok())
    return refuse(answer.complaint());
  auto why = end->wait();
  return why.empty() ? 0 : refuse(why);
}

} // namespace troupe
