#include "messages/wire/mcp/jsonrpc_peek.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "messages/wire/json/json_source.hpp"
#include "messages/wire/mcp/jsonrpc.hpp"

namespace troupe::jsonrpc {

namespace {

/// Adds the id if `message` is a response. Stops reading as soon as that is known.
void look_at_one(std::string_view message, glance& out) {
  std::optional<int64_t> id;
  bool calls = false;
  bool has_outcome = false;
  bool refuses = false;
  for_each_member(message, [&](std::string_view key, json_value value) {
    if (key == "id")
      id = id_of(value);
    calls = key == "method";
    refuses |= key == "error" && value.kind() != json_kind::null;
    has_outcome |= key == "result" || key == "error";
    return !calls && !(id && has_outcome);
  });
  out.strange |= !calls && !(id && has_outcome);
  if (calls || !id || !has_outcome)
    return;
  out.responses.push_back(*id);
  out.refuses |= refuses;
}

void take(closer_look& out, const response& said, int64_t request) {
  const bool ours = said.id == request || (said.is_error && said.anonymous);
  if (ours) {
    out.ours = true;
    out.refuses = said.is_error;
    out.code = said.error_code;
    out.words = said.error_message;
  } else {
    out.fault = said.anonymous ? "its id is none that was given"
                               : fmt::format("its id is {}, not {}", said.id, request);
  }
}

void take(closer_look& out, const malformed& bad, int64_t request) {
  out.ours |= bad.id == request;
  out.fault = bad.reason;
}

/// Walks over the tokens of a text that may break off or be broken anywhere.
class broken_text {
public:
  explicit broken_text(std::string_view text) : text_{text} {}

  int64_t response();

private:
  std::string_view string();
  void member(std::string_view key);
  std::string_view scalar();
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  std::string_view text_;
  size_t at_ = 0;
  size_t depth_ = 0;
  bool before_key_ = false; // the last token was a brace or comma of the outermost object
  bool calls_ = false;
  bool has_outcome_ = false;
  int64_t id_ = 0;
};

int64_t broken_text::response() {
  skip_space();
  if (!text_.substr(at_).starts_with('{'))
    return 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      const auto found = string();
      if (before_key_)
        member(found);
    } else {
      depth_ += c == '{' || c == '[' ? 1 : 0;
      depth_ -= (c == '}' || c == ']') && depth_ > 0 ? 1 : 0;
      ++at_;
      if (depth_ == 0)
        break; // the object has ended; garbage follows
    }
    before_key_ = depth_ == 1 && (c == '{' || c == ',');
    skip_space();
  }
  return calls_ || !has_outcome_ ? 0 : id_;
}

/// Returns the characters of a string, or nothing if it does not end; continues after it.
std::string_view broken_text::string() {
  const auto first = ++at_;
  while (at_ < text_.size() && text_[at_] != '"')
    at_ += text_[at_] == '\\' ? 2 : 1;
  if (at_ >= text_.size()) {
    at_ = text_.size();
    return {};
  }
  return text_.substr(first, at_++ - first);
}

void broken_text::member(std::string_view key) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != ':')
    return;
  ++at_;
  skip_space();
  calls_ |= key == "method";
  has_outcome_ |= key == "result" || key == "error";
  if (key == "id")
    id_ = std::max<int64_t>(id_of(scalar()).value_or(0), 0);
}

/// Returns the number or string that follows, if something follows it; does not go on.
std::string_view broken_text::scalar() {
  auto end = text_.find_first_of(",}] \t\r\n", at_);
  if (at_ < text_.size() && text_[at_] == '"')
    end = text_.find('"', at_ + 1);
  if (end == std::string_view::npos)
    return {};
  return text_.substr(at_, end - at_ + (text_[at_] == '"' ? 1 : 0));
}

} // namespace

glance look_at(std::string_view text) {
  glance out;
  const auto source = json_source::unchecked(text);
  if (kind_of(source.root()) != json_kind::array) {
    look_at_one(source.root(), out);
    return out;
  }
  const bool whole = for_each_element(source.root(), [&out](std::string_view each) {
    look_at_one(each, out);
    return true;
  });
  out.strange |= !whole;
  return out;
}

std::vector<int64_t> response_ids(std::string_view text) {
  return look_at(text).responses;
}

closer_look look_closer(std::string_view text, int64_t request) {
  closer_look out;
  for_each_message(text, [&out, request](message& each) {
    if (out.ours)
      return;
    if (const auto* said = std::get_if<response>(&each))
      take(out, *said, request);
    else if (const auto* bad = std::get_if<malformed>(&each))
      take(out, *bad, request);
  });
  return out;
}

int64_t broken_response(std::string_view text) {
  return broken_text{text}.response();
}

int64_t cancelled_request(std::string_view text) {
  const auto source = json_source::unchecked(text);
  std::string_view params, id;
  read_members(source.root(), {{"params", &params}});
  read_members(params, {{"requestId", &id}});
  return integer_of(id).value_or(0);
}

} // namespace troupe::jsonrpc
