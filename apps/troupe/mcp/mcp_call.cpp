#include "apps/troupe/mcp/mcp_call.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/mcp/mcp_command_bodies.hpp"
#include "apps/troupe/terminal/terminal_answers.hpp"
#include "apps/troupe/terminal/terminal_output.hpp"
#include "messages/stderr_tail.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

void show_progress(std::string_view data) {
  json_source source{data};
  std::string_view progress, total, message;
  read_members(source.root(), {{"progress", &progress}, {"total", &total}, {"message", &message}});
  auto of = number_of(total) > 0 ? fmt::format(" of {}", total) : "";
  fmt::print(stderr, "{}{} {}\n", progress, of, terminal_text(json_string(message)));
}

/// Prints the end of the server's stderr, which the error of a call does not have.
void show_last_words(const mcp_options& options, mcp_client& client) {
  auto answer = client.server().send("GET", "/v1/mcp/servers/" + path_segment(options.server));
  json_source source{answer.body};
  std::string_view error, message;
  read_members(source.root(), {{"error", &error}});
  read_members(error, {{"message", &message}});
  auto text = json_string(message);
  if (text.find(stderr_tail_mark) != text.npos)
    fmt::print(stderr, "troupe: {}\n", terminal_text(text, true));
}

int fail(const mcp_options& options, mcp_client& client, std::string_view why) {
  fmt::print(stderr, "troupe: {}\n", terminal_text(why, true));
  show_last_words(options, client);
  return exit_failed;
}

int show_result(const mcp_options& options, mcp_client& client, std::string_view data) {
  json_source source{data};
  std::string_view error, text, result, message;
  read_members(source.root(), {{"error", &error}, {"text", &text}, {"result", &result}});
  read_members(error, {{"message", &message}});
  if (options.json && !is_nothing(result))
    fmt::print("{}\n", for_stdout(std::string{result}));
  else if (is_nothing(error))
    fmt::print("{}\n", for_stdout(json_string(text)));
  return is_nothing(error) ? 0 : fail(options, client, json_string(message));
}

/// Returns whether a person can answer the server's questions.
bool can_ask(const mcp_options& options) {
  return options.interactive && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
}

/// Calls the tool. The server's questions come in the call's own answer stream: there they cannot
/// come too early, and no other client is asked.
server_answer call(const mcp_options& options, mcp_client& client, std::string& result) {
  std::unique_ptr<terminal_answers> answers;
  if (can_ask(options))
    answers = std::make_unique<terminal_answers>(client.server());
  const bool shows_progress = isatty(STDERR_FILENO) != 0;
  return client.server().stream("POST", "/v1/mcp/tools/call",
                                call_body(options, answers != nullptr), [&](const sse_event& said) {
                                  if (said.type == "result")
                                    result = said.data;
                                  else if (said.type == "clientRequest" && answers)
                                    answers->ask(std::string{said.data});
                                  else if (said.type == "progress" && shows_progress)
                                    show_progress(said.data);
                                });
}

} // namespace

int call_tool_verb(const mcp_options& options, mcp_client& client) {
  if (const auto bad = arguments_fault(options.pairs); !bad.empty()) {
    fmt::print(stderr, "troupe: ARGUMENTS: {}\n", bad);
    return exit_usage;
  }
  std::string result;
  auto answer = call(options, client, result);
  if (!answer.ok())
    return fail(options, client, answer.complaint());
  return show_result(options, client, result.empty() ? answer.body : result);
}

} // namespace troupe
