#include "apps/troupe/terminal/terminal_question.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/troupe/terminal/terminal_line.hpp"
#include "messages/json.hpp"
#include "messages/terminal_text.hpp"
#include "messages/wire/json/json_check.hpp"
#include "messages/wire/json/json_schema.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

// -- form field -----------------------------------------------------------------------------------

/// One field, as the server's schema describes it.
struct form_field {
  std::string name;
  std::string title;
  std::string description;
  std::string type;                 ///< of JSON Schema; "" if it has none, or several
  std::string schema;               ///< JSON text
  std::string fallback;             ///< JSON text of the default; "" if there is none
  std::vector<std::string> choices; ///< with their titles: "r (Red)"; empty: any value
  bool required = false;
};

/// The value that a person typed for a field.
struct typed_value {
  std::string json;  ///< "" leaves the field out
  std::string fault; ///< why it cannot be taken; "" if it can
};

namespace {

/// Returns a value as a person types it.
std::string typed_form(std::string_view value) {
  return kind_of(value) == json_kind::string ? json_string(value) : std::string{value};
}

/// Appends the values of an `enum`, with the titles that `enumNames` has for them.
void add_values(std::string_view values, std::string_view titles, std::vector<std::string>& out) {
  std::vector<std::string> names;
  for_each_element(titles, [&](std::string_view title) {
    names.push_back(json_string(title));
    return true;
  });
  size_t i = 0;
  for_each_element(values, [&](std::string_view value) {
    auto title = i < names.size() ? " (" + names[i] + ')' : "";
    out.push_back(typed_form(value) + title);
    ++i;
    return true;
  });
}

/// Appends the constants of a `oneOf` or `anyOf`, with their titles.
void add_constants(std::string_view options, std::vector<std::string>& out) {
  for_each_element(options, [&](std::string_view option) {
    std::string_view value, title;
    read_members(option, {{"const", &value}, {"title", &title}});
    if (!value.empty())
      out.push_back(typed_form(value) + (title.empty() ? "" : " (" + json_string(title) + ')'));
    return true;
  });
}

void add_choices(std::string_view schema, std::vector<std::string>& out) {
  std::string_view values, titles, one_of, any_of;
  read_members(schema,
               {{"enum", &values}, {"enumNames", &titles}, {"oneOf", &one_of}, {"anyOf", &any_of}});
  add_values(values, titles, out);
  add_constants(one_of, out);
  add_constants(any_of, out);
}

form_field read_field(std::string_view name, std::string_view schema) {
  std::string_view title, description, type, fallback, items;
  read_members(schema, {{"title", &title},
                        {"description", &description},
                        {"type", &type},
                        {"default", &fallback},
                        {"items", &items}});
  form_field out;
  out.name = name;
  out.title = json_string(title);
  out.description = json_string(description);
  out.type = json_string(type);
  out.schema = schema;
  out.fallback = fallback;
  add_choices(schema, out.choices);
  add_choices(items, out.choices); // of a list
  return out;
}

/// Returns what the prompt says of the kind of value: "number, required".
std::string kind_text(const form_field& field) {
  auto out = field.type == "array" ? R"(list as JSON: ["a", "b"])" : field.type;
  if (field.type == "boolean")
    out = "y or n";
  if (field.required)
    out += out.empty() ? "required" : ", required";
  return out;
}

bool is_one_of(const std::string& typed, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), typed) != words.end();
}

/// Returns the typed text as JSON; "" if it is no value of the type.
std::string json_of(const std::string& type, const std::string& typed) {
  if (type == "string" || type.empty())
    return to_json(typed);
  if (type != "boolean")
    return json_fault(typed).empty() ? typed : "";
  if (is_one_of(typed, {"y", "yes", "true"}))
    return "true";
  return is_one_of(typed, {"n", "no", "false"}) ? "false" : "";
}

/// Says how a value that is no JSON should have looked.
std::string wanted(const std::string& type) {
  if (type == "boolean")
    return "type y or n";
  if (type == "number" || type == "integer")
    return "type a number";
  return R"(type JSON, a list as ["a", "b"])";
}

} // namespace

/// Returns the fields in the order of the schema's properties.
/// @param schema a slice of a json_source
std::vector<form_field> fields_of(std::string_view schema) {
  std::vector<form_field> fields;
  std::string_view properties, required;
  read_members(schema, {{"properties", &properties}, {"required", &required}});
  for_each_member(properties, [&](std::string_view key, std::string_view property) {
    fields.push_back(read_field(key, property));
    return true;
  });
  for_each_element(required, [&](std::string_view name) {
    for (auto& each : fields)
      each.required = each.required || each.name == json_string(name);
    return true;
  });
  return fields;
}

/// Returns the prompt for a value, several lines of terminal_text().
std::string prompt_of(const form_field& field) {
  std::string out;
  const auto* colon = field.title.empty() || field.description.empty() ? "" : ": ";
  if (auto about = field.title + colon + field.description; !about.empty())
    out += terminal_text(about, true) + '\n';
  for (const auto& each : field.choices)
    out += "  " + terminal_text(each) + '\n';
  out += terminal_text(field.name);
  if (auto kind = kind_text(field); !kind.empty())
    out += " (" + terminal_text(kind) + ')';
  if (!field.fallback.empty())
    out += " [" + terminal_text(field.fallback) + ']';
  return out + ": ";
}

/// Reads what was typed: texts as they are, yes and no, numbers and lists as JSON.
/// @param typed "" takes the default, or leaves the field out if it is not required
typed_value read_typed(const form_field& field, const std::string& typed) {
  if (typed.empty() && field.fallback.empty() && field.required)
    return {"", "it is required"};
  if (typed.empty())
    return {field.fallback, ""};
  auto json = json_of(field.type, typed);
  if (json.empty())
    return {"", wanted(field.type)};
  if (auto mismatch = schema_mismatch(field.schema, json); !mismatch.empty())
    return {"", mismatch};
  return {std::move(json), ""};
}

// -- terminal question ----------------------------------------------------------------------------

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

/// The question of a server, as far as the answer needs it.
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
