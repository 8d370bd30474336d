#include "apps/engine/configuration/server_entry.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "apps/engine/configuration/header_entry.hpp"
#include "messages/json_object.hpp"
#include "messages/mcp/mcp_transports.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/logging.hpp"

namespace troupe {

// -- env file -------------------------------------------------------------------------------------

namespace {

constexpr uintmax_t max_bytes = 1 << 20;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos)
    return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c == '_' || c == '.' || c == '-' || (c < 0x80 && std::isalnum(c) != 0);
  });
}

char escaped(char c) {
  switch (c) {
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  default:
    return c;
  }
}

/// Returns what stands between the quotes at the start of `text`; nothing if the second is missing.
std::optional<std::string> quoted(std::string_view text) {
  std::string out;
  const auto quote = text.front();
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == quote)
      return out;
    if (quote == '"' && text[i] == '\\' && i + 1 < text.size())
      out.push_back(escaped(text[++i]));
    else
      out.push_back(text[i]);
  }
  return std::nullopt;
}

std::optional<std::string> value_of_line(std::string_view text) {
  const auto value = trimmed(text);
  if (value.starts_with('"') || value.starts_with('\''))
    return quoted(value);
  return std::string{trimmed(text.substr(0, std::min(text.find(" #"), text.find("\t#"))))};
}

/// Reads one line. Returns whether it could be read.
bool read_line(std::string_view line, std::map<std::string, std::string>& out) {
  constexpr std::string_view word = "export ";
  line = trimmed(line);
  if (line.empty() || line.front() == '#')
    return true;
  if (line.starts_with(word))
    line.remove_prefix(word.size());
  const auto cut = line.find('=');
  const auto name = trimmed(line.substr(0, cut));
  if (cut == line.npos || !is_name(name))
    return false;
  auto value = value_of_line(line.substr(cut + 1));
  if (value)
    out[std::string{name}] = std::move(*value);
  return value.has_value();
}

} // namespace

std::string parse_env_file(std::string_view text, std::map<std::string, std::string>& out) {
  text = without_byte_order_mark(text);
  if (text.find('\0') != text.npos)
    return "holds a NUL character";
  for (size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    if (!read_line(text.substr(0, end), out))
      return fmt::format("has no NAME=VALUE in line {}", number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return "";
}

std::string read_env_file(const std::string& path, std::map<std::string, std::string>& out) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed))
    return "names a file that is not there";
  if (!std::filesystem::is_regular_file(path, failed))
    return "names what is no file";
  if (std::filesystem::file_size(path, failed) > max_bytes)
    return "names a file of more than 1 MiB";
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file)
    return "names a file that cannot be read";
  return parse_env_file(text, out);
}

// -- server entry ---------------------------------------------------------------------------------

namespace {

std::string guessed_type(const mcp_server_config& server) {
  if (!server.command.empty() || server.url.empty())
    return "stdio";
  if (server.url.starts_with("ws://") || server.url.starts_with("wss://"))
    return "websocket";
  auto path = std::string_view{server.url}.substr(0, server.url.find_first_of("?#"));
  return path.ends_with("/sse") ? "sse" : "http";
}

void check_transport(object_reader& in, mcp_server_config& server) {
  if (server.type.empty() || server.type == "remote")
    server.type = guessed_type(server);
  if (const auto* transport = find_transport(server.type))
    server.type = transport->type; // not an alias
  if (const auto bad = address_fault(server);
      !bad.key.empty() && (server.fault.empty() || bad.key == "type"))
    in.fail(bad.key, bad.what);
  if (!server.proxy.empty() && server.proxy.find("://") == std::string::npos)
    in.fail("proxy", "must be a URL, such as http://127.0.0.1:3128");
}

void read_policy(object_reader& in, std::string_view key, client_policy& out) {
  auto text = to_string(out);
  in.read(key, text);
  for (auto each : {client_policy::ask, client_policy::allow, client_policy::deny})
    if (to_string(each) == text)
      out = each;
  if (to_string(out) != text)
    in.fail(key, R"(must be "ask", "allow" or "deny")");
}

void read_nodes(object_reader& in, server_nodes& out) {
  auto text = to_string(out);
  in.read("nodes", text);
  out = text == to_string(server_nodes::one) ? server_nodes::one : server_nodes::every;
  if (to_string(out) != text)
    in.fail("nodes", R"(must be "every" or "one")");
}

/// Returns the URI of an absolute path.
std::string file_uri(std::string_view path) {
  constexpr std::string_view plain = "-._~/!$&'()*+,;=:@";
  std::string out = "file://";
  for (unsigned char c : path)
    if ((c < 0x80 && std::isalnum(c) != 0) || plain.find(static_cast<char>(c)) != plain.npos)
      out.push_back(static_cast<char>(c));
    else
      out += fmt::format("%{:02X}", c);
  return out;
}

mcp_root root_of(object_reader& in, std::string_view value, const std::string& at) {
  mcp_root root;
  if (kind_of(value) == json_kind::string) {
    root.uri = in.expand("roots", value);
  } else {
    auto inner = in.inside(value, at);
    inner.require("uri", root.uri);
    inner.read("name", root.name);
    inner.finish();
  }
  if (root.uri.starts_with('/'))
    root.uri = file_uri(root.uri);
  if (!root.uri.starts_with("file:///"))
    in.fail("roots", "must hold absolute paths, file:// URIs or {\"uri\", \"name\"} objects");
  return root;
}

void read_roots(object_reader& in, mcp_server_config& out) {
  in.read_elements("roots", [&](std::string_view value, const std::string& at) {
    out.roots.push_back(root_of(in, value, at));
  });
}

/// Other programs count `timeout` in seconds (Cline, Roo: up to an hour) or milliseconds (Gemini,
/// LibreChat). No call is meant to take less than four seconds, or more than an hour in seconds.
void read_timeout(object_reader& in, mcp_server_config& out) {
  int64_t given = 0;
  in.read("timeout", given, 1, 604'800'000);
  if (given == 0 || in.has("requestTimeoutMs"))
    return;
  out.request_timeout = std::chrono::milliseconds{given <= 3600 ? given * 1000 : given};
  out.total_timeout = std::max(out.total_timeout, out.request_timeout);
  in.note("timeout", fmt::format("is taken for {} s; requestTimeoutMs says it in milliseconds",
                                 static_cast<double>(out.request_timeout.count()) / 1000));
}

void read_limits_of_time(object_reader& in, mcp_server_config& out) {
  read_timeout(in, out);
  in.read(in.name_of({"connectTimeoutMs", "connectionTimeout", "initTimeout"}), out.connect_timeout,
          1);
  in.read("requestTimeoutMs", out.request_timeout, 1);
  in.read("totalTimeoutMs", out.total_timeout, 1);
  in.read("pingIntervalMs", out.ping_interval);
  in.read("askTimeoutMs", out.ask_timeout, 1);
}

/// Reads a list of tools; `true` is all of them, as a single "*".
void read_tools(object_reader& in, std::string_view key, std::vector<std::string>& out) {
  std::vector<std::string> tools;
  bool all = false;
  if (in.kind(key) == json_kind::boolean)
    in.read(key, all);
  else if (in.kind(key) == json_kind::string)
    in.read(key, tools.emplace_back());
  else
    in.read(key, tools);
  if (all)
    tools = {"*"};
  if (std::any_of(tools.begin(), tools.end(), [](const auto& each) { return each.empty(); }))
    in.fail(key, "must not hold an empty name");
  if (in.has(key))
    out = std::move(tools);
}

void read_choices_of_tools(object_reader& in, mcp_server_config& out) {
  in.read(in.name_of({"includeTools", "enabledTools", "tools"}), out.include_tools);
  in.read(in.name_of({"excludeTools", "disabledTools"}), out.exclude_tools);
  read_tools(in, in.name_of({"autoApprove", "alwaysAllow"}), out.auto_approve);
  bool trust = false;
  in.read("trust", trust);
  if (trust)
    out.auto_approve = {"*"};
}

void read_command(object_reader& in, mcp_server_config& out) {
  std::error_code unknown;
  in.read("command", out.command);
  in.read("args", out.args);
  if (out.args.empty() && out.command.find(' ') != std::string::npos &&
      !std::filesystem::exists(out.command, unknown))
    in.note("command", "holds blanks, and there is no such file; arguments belong into args");
}

/// Variables of `env` win over those of the file.
void read_environment(object_reader& in, mcp_server_config& out) {
  std::string path;
  in.read("envFile", path);
  if (!path.empty())
    if (const auto bad = read_env_file(path, out.env); !bad.empty())
      in.lack("envFile", bad);
  std::map<std::string, std::string> own;
  in.read("env", own);
  own.merge(out.env);
  out.env = std::move(own);
}

void read_sampling_limits(object_reader& in, sampling_limits& out) {
  constexpr uint64_t most = 1'000'000'000'000;
  in.read("requestsPerMinute", out.requests_per_minute, 0, most);
  in.read("tokensPerMinute", out.tokens_per_minute, 0, most);
  in.read("requestsPerCall", out.requests_per_call, 0, most);
  in.read("tokensPerCall", out.tokens_per_call, 0, most);
}

void read_switches(object_reader& in, mcp_server_config& out) {
  bool disabled = false;
  in.read(in.name_of({"enabled", "isActive"}), out.enabled);
  in.read("disabled", disabled);
  out.enabled = out.enabled && !disabled;
  read_nodes(in, out.nodes);
  in.read("maxParallel", out.max_parallel, 1, 10'000);
  in.read("maxReconnects", out.max_reconnects, 0, 1'000'000);
  in.read("reconnectJitter", out.reconnect_jitter);
  in.read("logLevel", out.log_level);
  if (!out.log_level.empty() && !mcp::is_log_level(out.log_level))
    in.fail("logLevel",
            "must be debug, info, notice, warning, error, critical, alert or emergency");
  read_policy(in, "sampling", out.sampling);
  in.read_object("samplingLimits",
                 [&out](auto& inner) { read_sampling_limits(inner, out.sampling_bounds); });
  read_policy(in, "elicitation", out.elicitation);
}

// -- writing -------------------------------------------------------------------------------------

template <class T>
void append_value(json_buffer& out, const T& value) {
  append_json(out, value);
}

void append_value(json_buffer& out, std::chrono::milliseconds value) {
  append_json(out, value.count());
}

void append_value(json_buffer& out, const headers& fields) {
  std::map<std::string, std::string> values;
  for (const auto& [name, value] : fields)
    values[name] = value;
  append_value(out, values);
}

template <class T>
void add_unless_usual(json_object& out, std::string_view key, const T& value, const T& usual) {
  json_buffer made;
  json_buffer by_default;
  append_value(made, value);
  append_value(by_default, usual);
  if (view(made) != view(by_default))
    out.raw(key, view(made));
}

} // namespace

void read_server_entry(std::string_view name, object_reader& in, mcp_server_config& out) {
  out.name = name;
  if (name.empty() || name.size() > max_server_name_bytes)
    in.fail("", fmt::format("must have a name of 1 to {} bytes", max_server_name_bytes));
  in.tolerate_lacking(out.fault);
  in.expect_third_party(third_party_server_keys());
  in.read(in.name_of({"type", "transport", "transportType"}), out.type);
  read_command(in, out);
  read_environment(in, out);
  in.read("cwd", out.cwd);
  in.read(in.name_of({"url", "httpUrl", "serverUrl"}), out.url);
  read_headers(in, out.http_headers);
  in.read("proxy", out.proxy);
  read_switches(in, out);
  read_choices_of_tools(in, out);
  read_limits_of_time(in, out);
  read_roots(in, out);
  in.finish(); // a misspelt key is why another one is missing
  check_transport(in, out);
}

std::string print_server_entry(const mcp_server_config& server) {
  mcp_server_config usual;
  usual.name = server.name;   // the entry's key, not a member
  usual.fault = server.fault; // of this machine, not of the entry
  return json_text([&](json_object& out) {
    std::apply(
        [&](auto... each) {
          (add_unless_usual(out, each.name, server.*(each.member), usual.*(each.member)), ...);
        },
        mcp_server_config::fields());
  });
}

failure parse_server_entry(std::string_view name, std::string_view entry, mcp_server_config& out) {
  json_source text{entry};
  if (!text.fault().empty())
    return {errc::config_invalid, "the entry is not valid JSON: " + text.fault()};
  failure error;
  mcp_server_config read;
  object_reader in{text.root(), "", error, {errc::config_invalid, "the entry", false}};
  read_server_entry(name, in, read);
  if (!error)
    out = std::move(read);
  return error;
}

} // namespace troupe
