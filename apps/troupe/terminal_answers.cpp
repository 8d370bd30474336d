#include "apps/troupe/terminal_answers.hpp"

#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "messages/json.hpp"
#include "messages/printable.hpp"
#include "messages/wire/json_source.hpp"

namespace troupe {

namespace {

/// Reads a line from the terminal; false when `cancelled` or at its end.
template <class Cancelled>
bool read_line(std::string& line, Cancelled cancelled) {
  line.clear();
  for (;;) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, 100) == 0) {
      if (cancelled())
        return false;
      continue;
    }
    char c = 0;
    if (::read(STDIN_FILENO, &c, 1) != 1)
      return false;
    if (c == '\n')
      return true;
    line.push_back(c);
  }
}

/// What is asked of one field of a form.
struct form_field {
  std::string name;
  std::string type;
  std::string fallback; ///< JSON text; "" if there is none
};

/// Returns the JSON text of what a person typed for a field; "" leaves it out.
std::string value_of(const form_field& field, const std::string& typed) {
  if (typed.empty())
    return field.fallback;
  if (field.type == "string" || field.type.empty())
    return to_json(typed);
  if (field.type == "boolean")
    return typed == "y" || typed == "yes" || typed == "true" ? "true" : "false";
  return typed; // a number, or an array as JSON; the server's schema decides
}

std::vector<form_field> fields_of(std::string_view schema) {
  std::vector<form_field> fields;
  std::string_view properties;
  read_members(schema, {{"properties", &properties}});
  for_each_member(properties, [&](std::string_view key, std::string_view property) {
    std::string_view type, fallback, title, description;
    read_members(property, {{"type", &type},
                            {"default", &fallback},
                            {"title", &title},
                            {"description", &description}});
    fields.push_back({std::string{key}, json_string(type), std::string{fallback}});
    return true;
  });
  return fields;
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
    requests_.push_back(std::move(request));
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

void terminal_answers::answer(const std::string& request) {
  json_source source{request};
  std::string_view id, server, method, params, message, schema, url;
  read_members(source.root(),
               {{"requestId", &id}, {"server", &server}, {"method", &method}, {"params", &params}});
  read_members(params, {{"message", &message}, {"requestedSchema", &schema}, {"url", &url}});
  auto cancelled = [this] {
    std::lock_guard guard{mutex_};
    return ending_;
  };
  fmt::print(stderr, "\nMCP server '{}' asks ({}): {}\n", json_string(server), json_string(method),
             printable(message.empty() ? std::string{params} : json_string(message), true));
  if (!url.empty())
    fmt::print(stderr, "It wants you to open {}\n", printable(json_string(url)));
  fmt::print(stderr, "Accept? [y/N] ");
  std::string line;
  auto accepted = read_line(line, cancelled) && (line == "y" || line == "yes");
  std::string content;
  if (accepted)
    for (const auto& field : fields_of(schema)) {
      fmt::print(stderr, "{} ({}){}: ", printable(field.name), printable(field.type),
                 field.fallback.empty() ? "" : " [" + printable(field.fallback) + ']');
      accepted = accepted && read_line(line, cancelled);
      if (auto value = value_of(field, line); !value.empty())
        content += (content.empty() ? "" : ",") + to_json(field.name) + ':' + value;
    }
  auto body = fmt::format(R"({{"action":"{}"{}}})", accepted ? "accept" : "decline",
                          accepted && !schema.empty() ? ",\"content\":{" + content + '}' : "");
  auto answered =
      server_.send("POST", "/v1/mcp/requests/" + path_segment(json_string(id)), std::move(body));
  if (!answered.ok())
    fmt::print(stderr, "troupe: {}\n", answered.complaint());
}

} // namespace troupe
