#include "apps/troupe/mcp/mcp_verbs.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "apps/troupe/commands.hpp"
#include "apps/troupe/mcp/mcp_command_bodies.hpp"
#include "apps/troupe/mcp/mcp_tables.hpp"
#include "apps/troupe/mcp/mcp_watch.hpp"
#include "apps/troupe/terminal/terminal_answers.hpp"
#include "apps/troupe/terminal/terminal_output.hpp"
#include "messages/stderr_tail.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- mcp call -------------------------------------------------------------------------------------

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

/// Calls a tool, shows its progress on stderr, and returns an exit code.
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

// -- mcp verbs ------------------------------------------------------------------------------------

using verb_options = mcp_options;

int refuse(const server_answer& answer) {
  fmt::print(stderr, "troupe: {}\n", answer.complaint());
  return exit_failed;
}

int complain_of_words(const std::string& what) {
  fmt::print(stderr, "troupe: {}\n", what);
  return exit_usage;
}

/// Prints the answer: unchanged with --json, else by `print`.
int show(const mcp_options& options, const server_answer& answer, void (*print)(std::string_view)) {
  if (!answer.ok())
    return refuse(answer);
  if (options.json)
    fmt::print("{}\n", for_stdout(answer.body));
  else
    print(answer.body);
  return 0;
}

int get(const mcp_options& options, mcp_client& client, const std::string& path,
        void (*print)(std::string_view)) {
  return show(options, client.server().send("GET", path), print);
}

int post(const mcp_options& options, mcp_client& client, const std::string& path,
         const std::string& body, void (*print)(std::string_view)) {
  return show(options, client.server().send("POST", path, body), print);
}

std::string of_server(const std::string& path, const mcp_options& options) {
  return options.server.empty() ? path : path + "?server=" + path_segment(options.server);
}

void say_ok(std::string_view) {
  fmt::print("ok\n");
}

void print_as_is(std::string_view body) {
  fmt::print("{}\n", for_stdout(std::string{body}));
}

// -- options -------------------------------------------------------------------------------------

void no_options(CLI::App&, verb_options&) {}

void maybe_server(CLI::App& app, verb_options& options) {
  app.add_option("SERVER", options.server, "Only this one: a key of mcpServers");
}

void one_server(CLI::App& app, verb_options& options) {
  app.add_option("SERVER", options.server, "Key of mcpServers")->required();
}

void one_resource(CLI::App& app, verb_options& options) {
  one_server(app, options);
  app.add_option("URI", options.uri, "The resource's URI")->required();
}

/// The first check, before any server is started.
std::string an_argument(const std::string& given) {
  return arguments_fault({given});
}

void a_call(CLI::App& app, verb_options& options) {
  one_server(app, options);
  app.add_option("TOOL", options.name, "The tool's name on that server")->required();
  app.add_option("ARGUMENTS", options.pairs,
                 "A JSON object, or NAME=VALUE each; a VALUE that is JSON counts as such")
      ->check(an_argument);
  app.add_flag("--task", options.as_task, "Run it as an MCP task where the tool leaves the choice");
  app.add_flag_callback(
      "--decline", [&options] { options.interactive = false; },
      "Decline what the server asks for instead of asking at the terminal");
}

void a_prompt(CLI::App& app, verb_options& options) {
  one_server(app, options);
  app.add_option("PROMPT", options.name, "The prompt's name")->required();
  app.add_option("ARGUMENTS", options.pairs, "NAME=VALUE each, or a JSON object of texts")
      ->check(an_argument);
}

void a_completion(CLI::App& app, verb_options& options) {
  one_server(app, options);
  app.add_option("ARGUMENT", options.name, "What is to be completed")->required();
  app.add_option("VALUE", options.value, "As far as it is typed");
  app.add_option("--prompt", options.prompt, "An argument of this prompt");
  app.add_option("--template", options.uri, "A variable of this resource template");
  app.add_option("--with", options.pairs, "Arguments that are known")
      ->type_name("NAME=VALUE")
      ->check(name_and_value);
}

void a_level(CLI::App& app, verb_options& options) {
  one_server(app, options);
  app.add_option("LEVEL", options.value, "debug, info, notice, warning, error, ...")->required();
}

void a_request(CLI::App& app, verb_options& options) {
  one_server(app, options);
  app.add_option("METHOD", options.name, "As in the MCP specification: tasks/list")->required();
  app.add_option("JSON", options.arguments, "Params, a JSON object");
}

void a_chat(CLI::App& app, verb_options& options) {
  app.add_option("CHAT", options.session, "The chat's id")->required();
}

void an_attachment(CLI::App& app, verb_options& options) {
  a_chat(app, options);
  one_resource(app, options);
}

void an_attachment_id(CLI::App& app, verb_options& options) {
  a_chat(app, options);
  app.add_option("ID", options.name, "The attachment's id")->required();
}

void subscriptions(CLI::App& app, verb_options& options) {
  maybe_server(app, options);
  app.add_option("URI", options.pairs, "Resources to subscribe to on it");
}

// -- what they do --------------------------------------------------------------------------------

int list(const mcp_options& options, mcp_client& client) {
  client.wait_for_lists();
  auto answer = client.server().send("GET", "/v1/mcp/servers");
  auto code = show(options, answer, print_servers);
  return code != 0 || all_connected(answer.body) ? code : exit_failed;
}

/// Lists what servers offer; that of those that are not connected is missing.
int offers(const mcp_options& options, mcp_client& client, const std::string& path,
           void (*print)(std::string_view)) {
  const auto code = get(options, client, of_server(path, options), print);
  const auto servers = client.server().send("GET", "/v1/mcp/servers");
  const auto missing = servers.ok() ? complain_of_servers(servers.body, options.server) : 0;
  return code == 0 && missing > 0 ? exit_failed : code;
}

int log_of(const mcp_options& options, mcp_client& client) {
  return get(options, client, "/v1/mcp/servers/" + path_segment(options.server), print_log);
}

int tools(const mcp_options& options, mcp_client& client) {
  return offers(options, client, "/v1/mcp/tools", [](std::string_view body) {
    print_tools(body);
    std::fflush(stdout);
    warn_of_many_tools(body);
  });
}

int resources(const mcp_options& options, mcp_client& client) {
  client.wait_for_lists();
  return offers(options, client, "/v1/mcp/resources", print_resources);
}

int prompts(const mcp_options& options, mcp_client& client) {
  client.wait_for_lists();
  return offers(options, client, "/v1/mcp/prompts", print_prompts);
}

int read(const mcp_options& options, mcp_client& client) {
  return post(options, client, "/v1/mcp/resources/read", resource_body(options), print_contents);
}

int prompt(const mcp_options& options, mcp_client& client) {
  if (const auto bad = arguments_fault(options.pairs); !bad.empty())
    return complain_of_words("ARGUMENTS: " + bad);
  return post(options, client, "/v1/mcp/prompts/get", prompt_body(options), print_messages);
}

int complete(const mcp_options& options, mcp_client& client) {
  return post(options, client, "/v1/mcp/complete", completion_body(options), print_completion);
}

int set_log_level(const mcp_options& options, mcp_client& client) {
  return post(options, client, "/v1/mcp/log-level", level_body(options), say_ok);
}

int ping(const mcp_options& options, mcp_client& client) {
  return post(options, client, "/v1/mcp/servers/" + path_segment(options.server) + "/ping", "{}",
              say_ok);
}

int retry(const mcp_options& options, mcp_client& client) {
  return post(options, client, "/v1/mcp/servers/" + path_segment(options.server) + "/retry", "{}",
              say_ok);
}

int request(const mcp_options& options, mcp_client& client) {
  if (!options.arguments.empty() && !is_json_object(options.arguments))
    return complain_of_words("the params are no JSON object; as in '{\"uri\": \"...\"}'");
  return post(options, client, "/v1/mcp/request", request_body(options), print_as_is);
}

std::string attachments_of(const mcp_options& options) {
  return "/v1/sessions/" + path_segment(options.session) + "/attachments";
}

int attach(const mcp_options& options, mcp_client& client) {
  return post(options, client, attachments_of(options), resource_body(options), print_as_is);
}

int attachments(const mcp_options& options, mcp_client& client) {
  return get(options, client, attachments_of(options), print_attachments);
}

int detach(const mcp_options& options, mcp_client& client) {
  auto path = attachments_of(options) + '/' + path_segment(options.name);
  return show(options, client.server().send("DELETE", path), say_ok);
}

constexpr std::array verbs{
    mcp_verb{"list", "List the servers and their health", no_options, list},
    mcp_verb{"log", "Show the diary of a server's connection", one_server, log_of},
    mcp_verb{"tools", "List the tools", maybe_server, tools},
    mcp_verb{"call", "Call a tool", a_call, call_tool_verb},
    mcp_verb{"resources", "List the resources and resource templates", maybe_server, resources},
    mcp_verb{"read", "Read a resource", one_resource, read},
    mcp_verb{"prompts", "List the prompts", maybe_server, prompts},
    mcp_verb{"prompt", "Get a prompt with its arguments filled in", a_prompt, prompt},
    mcp_verb{"complete", "Complete an argument of a prompt or a template", a_completion, complete},
    mcp_verb{"log-level", "Set how much a server logs", a_level, set_log_level,
             verb_kind::of_running_server},
    mcp_verb{"ping", "See whether a server answers", one_server, ping},
    mcp_verb{"retry", "Connect to a server again now", one_server, retry,
             verb_kind::of_running_server},
    mcp_verb{"request", "Send any request of MCP", a_request, request},
    mcp_verb{"watch", "Print what changes, and subscribe to resources", subscriptions, watch_verb,
             verb_kind::until_signal},
    mcp_verb{"attach", "Attach a resource to a chat's next message", an_attachment, attach,
             verb_kind::of_running_server},
    mcp_verb{"attachments", "List what is attached to a chat", a_chat, attachments,
             verb_kind::of_running_server},
    mcp_verb{"detach", "Take an attachment back", an_attachment_id, detach,
             verb_kind::of_running_server},
};

} // namespace

std::span<const mcp_verb> mcp_verbs() {
  return verbs;
}

} // namespace troupe
