#include "apps/troupe/terminal/terminal_answers.hpp"

#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/troupe/terminal/form_field.hpp"
#include "apps/troupe/terminal/terminal_line.hpp"
#include "messages/json.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

using steady = std::chrono::steady_clock;

/// What is asked, as far as the answer needs it.
struct terminal_answers::question {
  std::string id;
  bool has_form = false;
  std::vector<form_field> form;
  steady::time_point until; ///< then it is declined
};

namespace {

void show(std::string_view request) {
  std::string_view server, method, params, message, url;
  read_members(request, {{"server", &server}, {"method", &method}, {"params", &params}});
  read_members(params, {{"message", &message}, {"url", &url}});
  fmt::print(stderr, "\nMCP server '{}' asks ({}): {}\n", terminal_text(json_string(server)),
             terminal_text(json_string(method)),
             terminal_text(message.empty() ? std::string{params} : json_string(message), true));
  if (!url.empty())
    fmt::print(stderr, "It wants you to open {}\n", terminal_text(json_string(url)));
}

} // namespace

terminal_answers::terminal_answers(server_client& server)
    : server_{server}, worker_{[this] { work(); }} {}

terminal_answers::~terminal_answers() {
  {
    std::lock_guard guard{mutex_};
    ending_ = true;
  }
  changed_.notify_one();
  worker_.join();
}

void terminal_answers::ask(std::string request) {
  {
    std::lock_guard guard{mutex_};
    requests_.push_back({std::move(request), steady::now()});
  }
  changed_.notify_one();
}

void terminal_answers::work() {
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !requests_.empty(); });
    if (ending_)
      return;
    auto request = std::move(requests_.front());
    requests_.pop_front();
    lock.unlock();
    answer(request);
    lock.lock();
  }
}

void terminal_answers::answer(const arrived& request) {
  json_source source{request.json};
  auto asked = read(source.root(), request.at);
  show(source.root());
  std::string line;
  auto accepted = type("Accept? [y/N] ", asked, line) && (line == "y" || line == "yes");
  if (accepted && !asked.form.empty())
    fmt::print(stderr, "Enter takes the value in [], or leaves a field out; Ctrl-D declines.\n");
  for (std::string content; accepted && fill_in(asked, content); content.clear()) {
    auto told = tell(asked, "accept", content);
    if (told.ok())
      return;
    fmt::print(stderr, "troupe: {}\n", told.complaint());
    if (told.status != 400 || asked.form.empty())
      return;
  }
  if (is_over(asked))
    fmt::print(stderr, "The question is over.\n");
  else if (auto told = tell(asked, "decline", ""); !told.ok())
    fmt::print(stderr, "troupe: {}\n", told.complaint());
}

terminal_answers::question terminal_answers::read(std::string_view request, time_point arrived) {
  std::string_view id, params, schema, timeout;
  read_members(request, {{"requestId", &id}, {"params", &params}, {"timeoutMs", &timeout}});
  read_members(params, {{"requestedSchema", &schema}});
  auto left = std::chrono::milliseconds{integer_of(timeout).value_or(0)};
  return {json_string(id), !schema.empty(), fields_of(schema), arrived + left};
}

bool terminal_answers::is_over(const question& asked) {
  std::lock_guard guard{mutex_};
  return ending_ || steady::now() >= asked.until;
}

bool terminal_answers::type(const std::string& prompt, const question& asked, std::string& line) {
  return read_terminal_line(prompt, line, [&] { return is_over(asked); });
}

/// Asks for each field until its value is taken. @return false: the person gave up
bool terminal_answers::fill_in(const question& asked, std::string& content) {
  for (const auto& field : asked.form) {
    std::string line;
    typed_value value;
    do {
      if (!type(prompt_of(field), asked, line))
        return false;
      value = read_typed(field, line);
      if (!value.fault.empty())
        fmt::print(stderr, "{}: {}\n", terminal_text(field.name), terminal_text(value.fault));
    } while (!value.fault.empty());
    if (!value.json.empty())
      content += (content.empty() ? "" : ",") + to_json(field.name) + ':' + value.json;
  }
  return true;
}

server_answer terminal_answers::tell(const question& asked, std::string_view action,
                                     const std::string& content) {
  auto values = asked.has_form && action == "accept" ? ",\"content\":{" + content + '}' : "";
  return server_.send("POST", "/v1/mcp/requests/" + path_segment(asked.id),
                      fmt::format(R"({{"action":"{}"{}}})", action, values));
}

} // namespace troupe
