// troupe-demo-mcp: the demo MCP server on stdin and stdout.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "apps/demo_mcp/demo_tools.hpp"
#include "messages/json_object.hpp"
#include "messages/wire/mcp/initialize.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe::demo {

/// The server's own version.
inline constexpr std::string_view version = "0.2.0";

/// Speaks MCP (2024-11-05 to 2025-11-25), tools only. Does no I/O. Not thread safe.
class demo_server {
public:
  using clock = std::chrono::steady_clock;
  using sender = std::function<void(std::string_view)>;

  /// @param page tools per page of tools/list; 0 = all on one
  /// @param send takes one message, without a newline
  demo_server(size_t page, sender send);

  /// Handles one line: a message or a batch.
  void receive(std::string_view line, clock::time_point now);

  /// Returns when run_due() has something to do next, if ever.
  std::optional<clock::time_point> next_due() const;

  /// Sends what is due.
  void run_due(clock::time_point now);

private:
  /// A call that is not answered yet.
  struct running_call {
    std::string id;    ///< JSON text
    std::string token; ///< of its progress, JSON text; "" = none wanted
    tool_outcome outcome;
    uint64_t steps_done = 0;
    clock::time_point due;
  };

  void on(const jsonrpc::request& what, clock::time_point now);
  void on(const jsonrpc::notification& what);
  void on(const jsonrpc::malformed& what);
  void initialize(const jsonrpc::request& what);
  void list_tools(const jsonrpc::request& what);
  void call_tool(const jsonrpc::request& what, clock::time_point now);
  bool step(running_call& what, clock::time_point now);
  void refuse(const jsonrpc::request& what, int64_t code, std::string_view message);

  size_t page_;
  sender send_;
  bool is_initialized_ = false;
  std::vector<running_call> running_;
};

namespace {

constexpr std::string_view cursor_prefix = "tool-";

/// Reads the cursor of a page: the number of its first tool.
bool read_cursor(std::string_view text, size_t& out) {
  if (!text.starts_with(cursor_prefix))
    return false;
  text.remove_prefix(cursor_prefix.size());
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  return wrong == std::errc{} && end == text.data() + text.size() && out < all_tools().size();
}

void append_tool(json_buffer& out, const demo_tool& what) {
  json_object{out}
      .member("name", what.name)
      .member("description", what.description)
      .raw("inputSchema", what.schema);
}

std::string result_of(const tool_outcome& what) {
  return json_text([&](json_object& out) {
    out.array("content").object().member("type", "text").member("text", what.text);
    out.member("isError", what.is_error);
  });
}

} // namespace

demo_server::demo_server(size_t page, sender send) : page_{page}, send_{std::move(send)} {}

void demo_server::receive(std::string_view line, clock::time_point now) {
  for (const auto& each : jsonrpc::parse(line)) {
    if (const auto* asked = std::get_if<jsonrpc::request>(&each))
      on(*asked, now);
    else if (const auto* told = std::get_if<jsonrpc::notification>(&each))
      on(*told);
    else if (const auto* broken = std::get_if<jsonrpc::malformed>(&each))
      on(*broken);
    // responses are ignored: the server sends no requests
  }
}

void demo_server::on(const jsonrpc::request& what, clock::time_point now) {
  if (what.method == "ping")
    send_(jsonrpc::make_result(what.id, "{}"));
  else if (what.method == "initialize")
    initialize(what);
  else if (!is_initialized_)
    refuse(what, jsonrpc::invalid_request, "the first request must be initialize");
  else if (what.method == "tools/list")
    list_tools(what);
  else if (what.method == "tools/call")
    call_tool(what, now);
  else
    refuse(what, jsonrpc::method_not_found, "Method not found: " + what.method);
}

void demo_server::on(const jsonrpc::notification& what) {
  if (what.method != "notifications/cancelled")
    return;
  const auto id = json_params{what.params}.raw("/requestId");
  std::erase_if(running_, [&](const auto& each) { return each.id == id; });
}

void demo_server::on(const jsonrpc::malformed& what) {
  send_(jsonrpc::make_error("null", jsonrpc::parse_error, what.reason));
}

void demo_server::refuse(const jsonrpc::request& what, int64_t code, std::string_view message) {
  send_(jsonrpc::make_error(what.id, code, message));
}

void demo_server::initialize(const jsonrpc::request& what) {
  std::string revision;
  if (!json_params{what.params}.get("/protocolVersion", revision))
    return refuse(what, jsonrpc::invalid_params, "protocolVersion must be a string");
  is_initialized_ = true;
  const auto result = json_text([&](json_object& out) {
    out.member("protocolVersion",
               mcp::speaks(revision) ? std::string_view{revision} : mcp::latest_revision)
        .raw("capabilities", R"({"tools":{}})")
        .object("serverInfo")
        .member("name", "troupe-demo-mcp")
        .member("title", "Troupe's demo server")
        .member("version", version);
    out.member("instructions", "Tools that show how a tool can behave.");
  });
  send_(jsonrpc::make_result(what.id, result));
}

void demo_server::list_tools(const jsonrpc::request& what) {
  const json_params params{what.params};
  std::string cursor;
  size_t first = 0;
  if (params.has("/cursor") && (!params.get("/cursor", cursor) || !read_cursor(cursor, first)))
    return refuse(what, jsonrpc::invalid_params, "Invalid cursor");
  const auto tools = all_tools();
  const auto last = page_ == 0 ? tools.size() : first + std::min(page_, tools.size() - first);
  const auto result = json_text([&](json_object& out) {
    out.array("tools").each(tools.subspan(first, last - first), append_tool);
    if (last < tools.size())
      out.member("nextCursor", fmt::format("{}{}", cursor_prefix, last));
  });
  send_(jsonrpc::make_result(what.id, result));
}

void demo_server::call_tool(const jsonrpc::request& what, clock::time_point now) {
  const json_params params{what.params};
  std::string name;
  if (!params.get("/name", name))
    return refuse(what, jsonrpc::invalid_params, "name must be a string");
  const auto* tool = find_tool(name);
  if (tool == nullptr)
    return refuse(what, jsonrpc::invalid_params, "Unknown tool: " + name);
  running_call call{what.id, params.raw("/_meta/progressToken"), tool->run(params), 0, now};
  call.due += call.outcome.interval;
  if (!call.outcome.answers || !step(call, now))
    running_.push_back(std::move(call));
}

/// Sends the due messages of one call. Returns whether the call is answered.
bool demo_server::step(running_call& what, clock::time_point now) {
  for (; what.due <= now; what.due += what.outcome.interval) {
    if (what.steps_done < what.outcome.steps) {
      ++what.steps_done;
      if (!what.token.empty())
        send_(jsonrpc::make_notification(
            "notifications/progress",
            fmt::format(R"({{"progressToken":{},"progress":{},"total":{},"message":"step {}"}})",
                        what.token, what.steps_done, what.outcome.steps, what.steps_done)));
    }
    if (what.steps_done == what.outcome.steps) {
      send_(jsonrpc::make_result(what.id, result_of(what.outcome)));
      return true;
    }
  }
  return false;
}

std::optional<demo_server::clock::time_point> demo_server::next_due() const {
  std::optional<clock::time_point> soonest;
  for (const auto& each : running_)
    if (each.outcome.answers && (!soonest || each.due < *soonest))
      soonest = each.due;
  return soonest;
}

void demo_server::run_due(clock::time_point now) {
  std::erase_if(running_, [&](auto& each) { return each.outcome.answers && step(each, now); });
}

} // namespace troupe::demo

namespace {

using troupe::demo::demo_server;
using file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr std::string_view usage =
    "Usage: troupe-demo-mcp [--log FILE]\n"
    "\n"
    "A small MCP server for demos and tests: newline-delimited JSON-RPC on stdin and stdout.\n"
    "It ends with exit code 0 when stdin closes.\n"
    "\n"
    "  --log FILE   append every received line to FILE\n"
    "  --help       show this text\n"
    "  --version    show the version\n"
    "\n"
    "TROUPE_DEMO_PAGE=N in the environment makes tools/list answer N tools at a time.\n"
    "\n"
    "Tools:\n";

enum exit_code : int { fine = 0, output_lost = 1, bad_usage = 2 };

void show_help() {
  fmt::print("{}", usage);
  for (const auto& each : troupe::demo::all_tools())
    fmt::print("  {:<12} {}\n", each.name, each.description);
}

/// Writes one message with its newline to stdout. Ends the process if nobody reads it.
void send_line(std::string_view message) {
  std::string line{message};
  line += '\n';
  for (size_t sent = 0; sent < line.size();) {
    const auto count = ::write(STDOUT_FILENO, line.data() + sent, line.size() - sent);
    if (count >= 0)
      sent += static_cast<size_t>(count);
    else if (errno != EINTR)
      std::exit(output_lost);
  }
}

size_t page_size() {
  const char* text = std::getenv("TROUPE_DEMO_PAGE");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

/// Returns the timeout for poll(): milliseconds, or -1 for no limit.
int time_to_wait(const demo_server& server) {
  const auto due = server.next_due();
  if (!due)
    return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*due - demo_server::clock::now()).count();
  return left <= 0 ? 0 : static_cast<int>(std::min<decltype(left)>(left, 60'000));
}

/// Handles the complete lines in `input` and leaves the rest.
void take_lines(std::string& input, demo_server& server, std::FILE* log) {
  size_t begin = 0;
  for (auto end = input.find('\n'); end != std::string::npos; end = input.find('\n', begin)) {
    const auto line = std::string_view{input}.substr(begin, end - begin);
    begin = end + 1;
    if (log != nullptr) {
      std::fwrite(line.data(), 1, line.size(), log);
      std::fputc('\n', log);
      std::fflush(log);
    }
    if (line.find_first_not_of(" \t\r") != std::string_view::npos)
      server.receive(line, demo_server::clock::now());
  }
  input.erase(0, begin);
}

int serve(std::FILE* log) {
  demo_server server{page_size(), send_line};
  std::string input;
  std::string chunk(64 * 1024, '\0');
  for (;;) {
    pollfd in{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&in, 1, time_to_wait(server));
    server.run_due(demo_server::clock::now());
    if (ready <= 0)
      continue;
    const auto count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return fine;
    input.append(chunk, 0, static_cast<size_t>(count));
    take_lines(input, server, log);
  }
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  file log{nullptr, &std::fclose};
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--help" || option == "-h") {
      show_help();
      return fine;
    }
    if (option == "--version") {
      fmt::print("troupe-demo-mcp {}\n", troupe::demo::version);
      return fine;
    }
    if (option != "--log" || i + 1 == argc) {
      fmt::print(stderr, "troupe-demo-mcp: unexpected '{}'; see --help\n", option);
      return bad_usage;
    }
    log.reset(std::fopen(argv[++i], "a"));
    if (!log) {
      fmt::print(stderr, "troupe-demo-mcp: cannot write to {}: {}\n", argv[i],
                 std::strerror(errno));
      return bad_usage;
    }
  }
  return serve(log.get());
}
