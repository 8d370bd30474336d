// troupe-demo-mcp: the demo MCP server on stdin and stdout.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

#include "apps/demo_mcp/demo_server.hpp"

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
