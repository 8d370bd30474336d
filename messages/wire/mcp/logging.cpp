#include "messages/wire/mcp/logging.hpp"

#include <algorithm>
#include <array>

#include "messages/json.hpp"
#include "messages/wire/mcp/payload.hpp"

namespace troupe::mcp {

namespace {

constexpr std::string_view message_method = "notifications/message";

constexpr std::array<std::string_view, 8> levels{"debug", "info",     "notice", "warning",
                                                 "error", "critical", "alert",  "emergency"};

} // namespace

bool is_log_level(std::string_view level) {
  return std::find(levels.begin(), levels.end(), level) != levels.end();
}

std::string set_level_params(std::string_view level) {
  json_buffer out;
  append_raw(out, R"({"level":)");
  append_json(out, level);
  out.push_back('}');
  return std::string{view(out)};
}

failure parse(std::string_view params, log_message& out) {
  json_source source{params};
  if (auto bad = check_object(message_method, source))
    return bad;
  std::string_view level, logger, data;
  read_members(source.root(), {{"level", &level}, {"logger", &logger}, {"data", &data}});
  // Unknown levels ("warn") are accepted: a log is for people.
  if (json_string(level).empty())
    return broken(message_method, "there is no level");
  out = {json_string(level), json_string(logger), std::string{data.empty() ? "null" : data}};
  return {};
}

} // namespace troupe::mcp
