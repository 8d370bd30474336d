#include "apps/troupe/mcp_import/entry_translation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "messages/mcp/mcp_config.hpp"

namespace troupe {

namespace {

/// Returns our own keys, in the order in which they are written.
std::vector<std::string_view> own_keys() {
  std::vector<std::string_view> out;
  const auto add = [&out](std::string_view key) {
    if (key == "name" || key == "fault") // no members of an entry
      return;
    out.push_back(key);
    if (key == "env")
      out.push_back("envFile"); // its lines are members of env
  };
  std::apply([&](auto... each) { (add(each.name), ...); }, mcp_server_config::fields());
  return out;
}

struct other_name {
  std::string_view theirs;
  std::string_view ours;
};

constexpr std::array other_names{
    other_name{"serverUrl", "url"},
    other_name{"httpUrl", "url"},
    other_name{"environment", "env"},
    other_name{"transport", "type"},
    other_name{"transportType", "type"},
    other_name{"alwaysAllow", "autoApprove"},
    other_name{"enabledTools", "includeTools"},
    other_name{"tools", "includeTools"},
    other_name{"disabledTools", "excludeTools"},
    other_name{"initTimeout", "connectTimeoutMs"},
    other_name{"connectionTimeout", "connectTimeoutMs"},
};

json_node plain_node(json_kind kind, std::string text) {
  json_node out;
  out.kind = kind;
  out.text = std::move(text);
  return out;
}

/// Takes a member out of an object; absent if it is not there.
json_node take(json_node& object, std::string_view key) {
  auto* found = member_of(object, key);
  if (found == nullptr)
    return {};
  auto out = *found; // whole: it is looked for by its key once more
  remove_member(object, key);
  out.key.clear();
  return out;
}

/// Sets a member that the object does not have. Returns whether it was set.
bool give(json_node& object, std::string_view key, json_node value) {
  if (object.find(key) != nullptr)
    return false;
  set_member(object, key, std::move(value));
  return true;
}

/// Removes members that are null: they are as good as absent, and would hide those that are not.
void remove_nulls(json_node& object) {
  std::erase_if(object.children, [](const auto& each) { return each.kind == json_kind::null; });
}

/// Removes nulls from lists of values by name, where each is told: VS Code unsets a variable so.
void remove_named_nulls(json_node& entry, std::vector<std::string>& notes) {
  for (const auto* key : {"env", "environment", "headers"})
    if (auto* values = member_of(entry, key);
        values != nullptr && values->kind == json_kind::object) {
      for (const auto& each : values->children)
        if (each.kind == json_kind::null)
          notes.push_back(fmt::format("{}.{} is left out: it is null", key, each.key));
      remove_nulls(*values);
    }
}

void rename(json_node& entry, std::vector<std::string>& notes) {
  for (const auto& [theirs, ours] : other_names) {
    auto value = take(entry, theirs);
    if (value.kind == json_kind::absent)
      continue;
    if (theirs == "httpUrl")
      give(entry, "type", make_string_node("http"));
    if (give(entry, ours, std::move(value)))
      notes.push_back(fmt::format("{} is {} here", theirs, ours));
    else
      notes.push_back(fmt::format("{} is left out: {} says it already", theirs, ours));
  }
}

/// The program and its arguments of a list, or of words with blanks between.
void set_program(json_node& entry, std::vector<json_node> words) {
  auto args = empty_node(json_kind::array);
  for (size_t i = 1; i < words.size(); ++i)
    args.children.push_back(std::move(words[i]));
  if (const auto* more = entry.find("args"); more != nullptr && more->kind == json_kind::array)
    args.children.insert(args.children.end(), more->children.begin(), more->children.end());
  set_member(entry, "command", std::move(words.front()));
  set_member(entry, "args", std::move(args));
}

std::vector<json_node> words_of(std::string_view text) {
  std::vector<json_node> out;
  for (size_t i = 0; i < text.size();) {
    const auto first = std::min(text.find_first_not_of(' ', i), text.size());
    const auto end = std::min(text.find(' ', first), text.size());
    if (first < end)
      out.push_back(make_string_node(std::string{text.substr(first, end - first)}));
    i = end;
  }
  return out;
}

/// Words in one string are taken apart where that has one reading: no quotes, no file of that name.
void split_command(json_node& entry, const std::string& command, std::vector<std::string>& notes) {
  std::error_code unknown;
  auto words = words_of(command);
  if (words.size() < 2 || entry.find("args") != nullptr ||
      std::filesystem::exists(command, unknown))
    return;
  if (command.find_first_of("\"'\\$") != command.npos) {
    notes.emplace_back("command holds its arguments, with quotes; move them to args");
    return;
  }
  set_program(entry, std::move(words));
  notes.emplace_back("the arguments in command stand in args");
}

void translate_command(json_node& entry, std::vector<std::string>& notes) {
  auto* command = member_of(entry, "command");
  if (command == nullptr)
    return;
  if (command->kind == json_kind::array && !command->children.empty()) {
    set_program(entry, std::exchange(command->children, {}));
    notes.emplace_back("the list in command stands in command and args");
  } else if (command->kind == json_kind::object) { // Zed, until 2025
    auto inner = take(entry, "command");
    remove_nulls(inner);
    for (const auto& [theirs, ours] :
         {other_name{"path", "command"}, {"args", "args"}, {"env", "env"}, {"timeout", "timeout"}})
      if (auto value = take(inner, theirs); value.kind != json_kind::absent)
        give(entry, ours, std::move(value));
    notes.emplace_back("the members of command stand in command, args and env");
  } else if (command->kind == json_kind::string) {
    split_command(entry, std::string{command->text}, notes);
  }
}

/// Headers that Continue keeps with other options of requests.
void translate_request_options(json_node& entry, std::vector<std::string>& notes) {
  for (const auto* key : {"requestOptions", "requestInit"}) {
    auto options = take(entry, key);
    if (options.kind != json_kind::object)
      continue;
    remove_nulls(options);
    if (auto fields = take(options, "headers"); fields.kind == json_kind::object)
      give(entry, "headers", std::move(fields));
    for (const auto& each : options.children)
      notes.push_back(fmt::format("{}.{} is left out: it means nothing here", key, each.key));
  }
}

void translate_type(json_node& entry, std::vector<std::string>& notes) {
  auto* type = member_of(entry, "type");
  if (type == nullptr)
    return;
  if (type->text == "local" || type->text == "remote") // the other keys say it
    remove_member(entry, "type");
  else if (type->text.starts_with("streamable"))
    notes.push_back(fmt::format("type {} is http here", std::exchange(type->text, "http")));
}

/// Shuts the entry out if any of its switches does. A switch that is no boolean shuts out, too:
/// a server that its program did not start must not start here by a misreading.
void translate_switches(json_node& entry, std::vector<std::string>& notes) {
  bool out = false;
  for (const auto& [key, shut] : {std::pair{"enabled", false},
                                  {"isActive", false},
                                  {"disabled", true},
                                  {"isDisabled", true},
                                  {"excluded", true}}) {
    const auto value = take(entry, key);
    if (value.kind == json_kind::absent || value.is(!shut))
      continue;
    out = true;
    if (value.kind != json_kind::boolean)
      notes.push_back(
          fmt::format("{} is \"enabled\": false here: it is neither true nor false", key));
    else if (std::string_view{key} != "enabled")
      notes.push_back(fmt::format("{} is \"enabled\": false here", key));
  }
  if (out)
    set_member(entry, "enabled", plain_node(json_kind::boolean, "false"));
  const auto trust = take(entry, "trust");
  if (trust.is(true)) {
    auto all = empty_node(json_kind::array);
    all.children.push_back(make_string_node("*"));
    set_member(entry, "autoApprove", std::move(all));
    notes.emplace_back("trust is \"autoApprove\": [\"*\"] here: its calls need no approval");
  }
}

/// Returns the milliseconds of a number, and notes how it was read.
double milliseconds_of(double count, std::string_view text, timeout_unit unit,
                       std::vector<std::string>& notes) {
  constexpr double longest_seconds = 3600; // an hour is Cline's and Roo's limit
  if (unit == timeout_unit::milliseconds) {
    notes.emplace_back("timeout is requestTimeoutMs here");
    return count;
  }
  const auto is_seconds = count <= longest_seconds;
  const auto unsure = unit == timeout_unit::unknown || !is_seconds;
  notes.push_back(fmt::format("timeout {} is taken for {}{}", text,
                              is_seconds ? "seconds" : "milliseconds",
                              unsure ? "; requestTimeoutMs says how long it is" : ""));
  return is_seconds ? count * 1000 : count;
}

void set_request_timeout(json_node& entry, double count) {
  const auto limit = std::max<int64_t>(1, static_cast<int64_t>(count));
  const auto made = plain_node(json_kind::number, std::to_string(limit));
  if (give(entry, "requestTimeoutMs", made) && limit > mcp_server_config{}.total_timeout.count())
    give(entry, "totalTimeoutMs", made); // else it would come first
}

/// OpenCode has two times in one member, both in milliseconds.
void translate_timeouts(json_node& entry, json_node timeouts, std::vector<std::string>& notes) {
  remove_nulls(timeouts);
  if (auto startup = take(timeouts, "startup"); startup.kind != json_kind::absent) {
    notes.emplace_back("timeout.startup is connectTimeoutMs here");
    give(entry, "connectTimeoutMs", std::move(startup));
  }
  if (auto request = take(timeouts, "request"); request.kind != json_kind::absent)
    set_member(entry, "timeout", std::move(request));
  for (const auto& each : timeouts.children)
    notes.push_back(fmt::format("timeout.{} is left out: it means nothing here", each.key));
}

void translate_timeout(json_node& entry, timeout_unit unit, std::vector<std::string>& notes) {
  auto timeout = take(entry, "timeout");
  if (timeout.kind == json_kind::object) {
    translate_timeouts(entry, std::move(timeout), notes);
    timeout = take(entry, "timeout");
    unit = timeout_unit::milliseconds;
  }
  double count = 0;
  const auto* end = timeout.text.data() + timeout.text.size();
  if (timeout.kind == json_kind::absent)
    return;
  if (timeout.kind != json_kind::number ||
      std::from_chars(timeout.text.data(), end, count).ec != std::errc{} || count < 0.001 ||
      count > 604'800'000)
    return static_cast<void>(notes.emplace_back("timeout is left out: it is no time"));
  set_request_timeout(entry, milliseconds_of(count, timeout.text, unit, notes));
}

/// Keeps our keys, in our order.
void leave_out_others(json_node& entry, std::vector<std::string>& notes) {
  auto kept = empty_node(json_kind::object);
  for (const auto key : own_keys())
    if (auto value = take(entry, key);
        value.kind != json_kind::absent && value.kind != json_kind::null)
      set_member(kept, key, std::move(value));
  for (const auto& each : entry.children)
    if (each.kind != json_kind::null)
      notes.push_back(fmt::format("{} is left out: it means nothing here", each.key));
  entry = std::move(kept);
}

} // namespace

std::string translate_entry(json_node& entry, timeout_unit unit, std::vector<std::string>& notes) {
  remove_nulls(entry);
  if (auto nested = take(entry, "transport");
      nested.kind == json_kind::object) // Continue, until 2025
    for (auto& each : nested.children)
      give(entry, std::string{each.key}, each);
  else if (nested.kind != json_kind::absent)
    set_member(entry, "transport", std::move(nested));
  remove_nulls(entry); // of the nested ones
  translate_command(entry, notes);
  remove_named_nulls(entry, notes);
  rename(entry, notes);
  translate_request_options(entry, notes);
  translate_type(entry, notes);
  translate_switches(entry, notes);
  translate_timeout(entry, unit, notes);
  const auto is_extension = entry.find("command") == nullptr && entry.find("url") == nullptr;
  leave_out_others(entry, notes);
  return is_extension ? "it has neither a command nor a url" : "";
}

} // namespace troupe
