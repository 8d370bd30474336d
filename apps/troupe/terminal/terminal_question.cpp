#include "apps/troupe/terminal/terminal_question.hpp"

#include <algorithm>
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

namespace {

using steady = std::chrono::steady_clock;

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

/// What is asked, as far as the answer needs it.
class question {
public:
  question(std::string_view request, steady::time_point arrived, const std::function<bool()>& over)
      : over_{over} {
    std::string_view id, params, schema, timeout;
    read_members(request, {{"requestId", &id}, {"params", &params}, {"timeoutMs", &timeout}});
    read_members(params, {{"requestedSchema", &schema}});
    id_ = json_string(id);
    has_form_ = !schema.empty();
    form_ = fields_of(schema);
    until_ = arrived + std::chrono::milliseconds{integer_of(timeout).value_or(0)};
  }

  bool has_fields() const { return !form_.empty(); }
  bool is_over() const { return over_() || steady::now() >= until_; }

  bool accepted() const {
    using std::chrono::milliseconds;
    const auto left = std::chrono::duration_cast<milliseconds>(until_ - steady::now());
    return ask_yes_or_no(fmt::format("Accept? [y/N] (within {}) ", time_left(left)),
                         [this] { return is_over(); });
  }

  /// Asks for each field until its value is taken. @return false: the person gave up
  bool fill_in(std::string& content) const {
    for (const auto& field : form_) {
      std::string line;
      typed_value value;
      do {
        if (!type(prompt_of(field), line))
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

  server_answer tell(server_client& server, std::string_view action,
                     const std::string& content) const {
    auto values = has_form_ && action == "accept" ? ",\"content\":{" + content + '}' : "";
    return server.send("POST", "/v1/mcp/requests/" + path_segment(id_),
                       fmt::format(R"({{"action":"{}"{}}})", action, values));
  }

private:
  bool type(const std::string& prompt, std::string& line) const {
    return read_terminal_line(prompt, line, [this] { return is_over(); });
  }

  std::string id_;
  bool has_form_ = false;
  std::vector<form_field> form_;
  steady::time_point until_; ///< then it is declined
  const std::function<bool()>& over_;
};

} // namespace

void ask_person(server_client& server, std::string_view request,
                std::chrono::steady_clock::time_point arrived, const std::function<bool()>& over) {
  json_source source{request};
  const question asked{source.root(), arrived, over};
  show(source.root());
  const auto accepted = asked.accepted();
  if (accepted && asked.has_fields())
    fmt::print(stderr, "Enter takes the value in [], or leaves a field out; Ctrl-D declines.\n");
  for (std::string content; accepted && asked.fill_in(content); content.clear()) {
    auto told = asked.tell(server, "accept", content);
    if (told.ok())
      return;
    fmt::print(stderr, "troupe: {}\n", told.complaint());
    if (told.status != 400 || !asked.has_fields())
      return;
  }
  if (asked.is_over())
    fmt::print(stderr, "The question is over.\n");
  else if (auto told = asked.tell(server, "decline", ""); !told.ok())
    fmt::print(stderr, "troupe: {}\n", told.complaint());
}

std::string time_left(std::chrono::milliseconds left) {
  const auto seconds = std::max<int64_t>(1, left.count() / 1000);
  return seconds < 120 ? fmt::format("{} s", seconds) : fmt::format("{} min", (seconds + 30) / 60);
}

} // namespace troupe
