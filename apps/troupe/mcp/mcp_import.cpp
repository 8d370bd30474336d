// `troupe mcp import`: the servers of another program's file.
#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "apps/engine/config.hpp"
#include "apps/troupe/commands.hpp"
#include "apps/troupe/mcp/mcp_verbs.hpp"
#include "apps/troupe/mcp_import/third_party_file.hpp"
#include "apps/troupe/server_client.hpp"
#include "apps/troupe/settings_file.hpp"
#include "apps/troupe/terminal/terminal_output.hpp"
#include "messages/terminal_text.hpp"

namespace troupe {

namespace {

void say(const std::string& what) {
  fmt::print(stderr, "troupe: {}\n", terminal_text(what, true));
}

/// Where imported servers go, one after the other.
class import_target {
public:
  explicit import_target(const mcp_options& options) : options_{options} {}

  failure open() {
    text_ = "{}";
    auto bad = options_.engine.config_file.empty()
                   ? failure{}
                   : read_settings(options_.engine.config_file, text_);
    before_ = text_;
    return bad;
  }

  /// Adds a server. @return why not
  failure add(const imported_server& server) {
    if (!options_.url.empty())
      return send(server);
    if (!options_.replace && !mcp_server_entry(text_, server.name).empty())
      return {errc::request_invalid,
              "there is a server of this name already; --replace replaces it"};
    auto text = text_;
    if (auto bad = change_mcp_server(text, server.name, server.entry))
      return bad;
    engine_config read;
    if (auto bad = parse_config(text, read, config_use::servers))
      return bad;
    text_ = std::move(text);
    for (const auto& each : read.mcp_servers)
      if (each.name == server.name && !each.fault.empty())
        say(each.fault);
    return {};
  }

  failure close() {
    if (!options_.url.empty())
      return {};
    if (!options_.engine.config_file.empty())
      return text_ == before_ ? failure{} : write_settings(options_.engine.config_file, text_);
    fmt::print("{}", for_stdout(text_));
    return {};
  }

private:
  failure send(const imported_server& server) {
    server_client client{options_.url};
    const auto path = "/v1/mcp/servers/" + path_segment(server.name);
    if (!options_.replace && client.send("GET", path).ok())
      return {errc::request_invalid,
              "there is a server of this name already; --replace replaces it"};
    const auto answer = client.send("PUT", path, server.entry);
    return answer.ok() ? failure{} : failure{errc::request_invalid, answer.complaint()};
  }

  const mcp_options& options_;
  std::string text_;
  std::string before_; ///< as it was read
};

int complain(const std::string& file, const failure& why) {
  say(file + ": " + why.text());
  return exit_usage;
}

} // namespace

int import_servers(const mcp_options& options) {
  std::string text;
  if (!std::filesystem::exists(options.file))
    return complain(options.file, {errc::config_invalid, "there is no such file"});
  if (auto bad = read_settings(options.file, text))
    return complain(options.file, bad);
  imported_file found;
  if (auto bad = read_third_party_file(text, found, options.file))
    return complain(options.file, bad);
  import_target target{options};
  if (auto bad = target.open())
    return complain(options.engine.config_file, bad);
  const auto all = found.servers.size() + found.left_out.size();
  size_t added = 0;
  for (const auto& each : found.servers) {
    for (const auto& note : each.notes)
      say(fmt::format("{}: {}", each.name, note));
    if (const auto bad = target.add(each))
      found.left_out.push_back(fmt::format("{}: {}", each.name, bad.text()));
    else
      ++added;
  }
  for (const auto& each : found.left_out)
    say(each + " (left out)");
  if (auto bad = target.close())
    return complain(options.engine.config_file, bad);
  say(fmt::format("{} of {} servers taken over from a file of {}", added, all, found.form));
  return found.left_out.empty() ? 0 : exit_failed;
}

} // namespace troupe
