#include "messages/wire/provider/provider_error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "messages/one_line.hpp"
#include "messages/utf8.hpp"
#include "messages/wire/json/json_source.hpp"

namespace troupe {

namespace {

constexpr size_t max_message_bytes = 1000;
constexpr uint16_t bad_key_status = 401;
constexpr size_t max_written_bytes = 200; ///< of what a model had written when it failed

/// Returns `body` as one short line. @param tags of a page, which is looked at no further than
/// max_error_body_bytes
std::string line_of(std::string_view body, size_t max_bytes, markup tags) {
  return one_line(utf8_prefix(body, max_error_body_bytes), max_bytes, tags);
}

/// The facts that the JSON of an error tells.
struct error_facts {
  std::string message;
  std::string kind; ///< code, type and status in words, for the classification
  uint16_t code = 0;
  bool wrote = false;   ///< the model had begun to answer, so the request was valid
  bool bad_key = false; ///< Google says so with 400
  int64_t retry_after_ms = -1;
};

/// @param names in lower case
bool has_any(const std::string& kind, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(
      names, [&kind](std::string_view name) { return kind.find(name) != std::string::npos; });
}

bool is_overload_status(uint16_t status) {
  return status == 503 || status == 529;
}

/// Names that providers use for "too busy".
bool is_overload_name(const std::string& kind) {
  return has_any(kind, {"overload", "unavailable", "capacity", "slow_down"});
}

/// Names for "you ask too often".
bool is_rate_name(const std::string& kind) {
  return has_any(kind, {"rate_limit", "ratelimit", "resource_exhausted", "too_many_requests"});
}

/// Names for a quota, a budget or a balance that is used up: waiting does not help.
bool is_quota_name(const std::string& kind) {
  return has_any(kind, {"insufficient_quota", "billing", "credit_balance", "insufficient_balance",
                        "insufficient_credits", "spending_limit"});
}

/// The request is too long, or has members or values that the provider does not accept.
bool is_invalid_status(uint16_t status) {
  return status == 400 || status == 413 || status == 422;
}

errc classify(uint16_t status, const std::string& kind, bool wrote = false) {
  if (status == 402 || is_quota_name(kind))
    return errc::model_quota_exhausted;
  if (status == 429 || is_rate_name(kind))
    return errc::model_rate_limited;
  if (is_overload_status(status) || is_overload_name(kind))
    return errc::model_overloaded;
  if (is_invalid_status(status) && !wrote)
    return errc::model_request_invalid;
  if (status >= 300 && status < 500 && status != 408)
    return errc::model_refused;
  return errc::model_failed;
}

void add_kind(error_facts& facts, std::string_view text) {
  for (char c : text)
    facts.kind.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  facts.kind.push_back(' ');
}

/// Returns the number, or a number at the start of a string, if it is the status of a refusal; else
/// 0.
uint16_t status_of(std::string_view slice) {
  auto number = integer_of(slice).value_or(0);
  auto text = json_string(slice);
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number >= 300 && number < 600 ? static_cast<uint16_t>(number) : uint16_t{0};
}

/// @param seconds without a sign, perhaps with a fraction
int64_t milliseconds_of(const std::string& seconds) {
  constexpr double longest = 1e9;
  double read = -1;
  const auto* end = seconds.data() + seconds.size();
  const auto [at, bad] = std::from_chars(seconds.data(), end, read, std::chars_format::fixed);
  return bad == std::errc{} && at == end && read >= 0 && read < longest
             ? static_cast<int64_t>(std::ceil(read * 1000))
             : -1;
}

/// Google's details of an error: when to try again ("34s"), and which quota is used up. One that is
/// counted per day, or is nothing at all, is not there again in a moment.
void read_details(std::string_view details, error_facts& facts) {
  for_each_element(details, [&facts](std::string_view each) {
    std::string_view delay, violations, reason;
    read_members(each, {{"retryDelay", &delay}, {"violations", &violations}, {"reason", &reason}});
    facts.bad_key = facts.bad_key || json_string(reason) == "API_KEY_INVALID";
    if (auto text = json_string(delay); text.ends_with('s'))
      facts.retry_after_ms = milliseconds_of(text.substr(0, text.size() - 1));
    for_each_element(violations, [&facts](std::string_view quota) {
      std::string_view id, value;
      read_members(quota, {{"quotaId", &id}, {"quotaValue", &value}});
      if (json_string(id).find("PerDay") != std::string::npos || json_string(value) == "0")
        add_kind(facts, "insufficient_quota");
      return true;
    });
    return true;
  });
}

/// Reads one error object; `code` may be a number, a number as text, or a word.
void read_object(std::string_view object, error_facts& facts) {
  std::string_view message, msg, detail, code, status_code, status, type, generated, metadata, raw,
      details;
  read_members(object, {{"message", &message},
                        {"msg", &msg},
                        {"detail", &detail},
                        {"code", &code},
                        {"status_code", &status_code},
                        {"status", &status},
                        {"type", &type},
                        {"failed_generation", &generated},
                        {"metadata", &metadata},
                        {"details", &details}});
  read_members(metadata, {{"raw", &raw}}); // OpenRouter: the message of the provider behind it
  read_details(details, facts);
  for (auto text : {message, msg, detail})
    if (facts.message.empty())
      facts.message = json_string(text);
  for (auto each : {code, status_code, status, type})
    add_kind(facts, json_string(each));
  for (auto each : {code, status_code, status})
    if (facts.code == 0)
      facts.code = status_of(each);
  if (auto written = json_string(generated); !written.empty()) {
    // Calls that a server could not read look like tags.
    facts.message += fmt::format(" (the model had written: {})",
                                 line_of(written, max_written_bytes, markup::stays));
    facts.wrote = true;
  }
  if (auto said = json_string(raw); !said.empty())
    facts.message += fmt::format(" ({})", excerpt(said));
}

std::optional<error_facts> read_error(std::string_view json) {
  json_source source{json};
  auto top = source.root();
  if (kind_of(top) == json_kind::array) {
    std::string_view first;
    for_each_element(top, [&first](std::string_view element) {
      first = element;
      return false;
    });
    top = first;
  }
  std::string_view error;
  read_members(top, {{"error", &error}});
  error_facts facts;
  facts.message = json_string(kind_of(top) == json_kind::string ? top : error);
  read_object(error, facts);
  read_object(top, facts);
  if (facts.message.empty())
    return std::nullopt;
  // Anthropic says so only in words; its kind is that of any invalid request.
  if (facts.message.find("credit balance is too low") != std::string::npos)
    add_kind(facts, "credit_balance");
  facts.message =
      line_of(facts.message, max_message_bytes, facts.wrote ? markup::stays : markup::is_left_out);
  return facts;
}

std::string_view media_type(std::string_view content_type) {
  auto type = content_type.substr(0, content_type.find(';'));
  while (type.ends_with(' '))
    type.remove_suffix(1);
  return type.empty() ? "an unnamed type" : type;
}

void add_retry_after(std::string& message, std::string_view retry_after) {
  if (retry_after.empty())
    return;
  bool seconds = retry_after.find_first_not_of("0123456789") == std::string_view::npos;
  message += fmt::format(" (Retry-After: {}{})", excerpt(retry_after, 64), seconds ? " s" : "");
}

} // namespace

std::string excerpt(std::string_view body, size_t max_bytes) {
  return line_of(body, max_bytes, markup::is_left_out);
}

failure provider_error(uint16_t status, std::string_view json) {
  auto facts = read_error(json);
  if (!facts)
    return {classify(status, {}), fmt::format("The model reported: {}", excerpt(json))};
  auto code = facts->bad_key ? bad_key_status : status >= 300 ? status : facts->code;
  return {classify(code, facts->kind, facts->wrote), std::move(facts->message)};
}

int64_t retry_delay_in(std::string_view json) {
  if (json.find("retryDelay") == std::string_view::npos)
    return -1;
  const auto facts = read_error(json);
  return facts ? facts->retry_after_ms : -1;
}

failure refused_exchange(uint16_t status, std::string_view content_type,
                         std::string_view retry_after, std::string_view body) {
  failure result;
  auto facts = status >= 300 ? read_error(body) : std::nullopt;
  if (facts && facts->bad_key)
    status = bad_key_status;
  if (facts) {
    const auto words = status >= 500 || is_quota_name(facts->kind);
    result = {classify(status, words ? facts->kind : std::string{}, facts->wrote),
              std::move(facts->message)};
  } else {
    auto text = excerpt(body);
    result.code = status < 300 ? errc::model_answer_invalid : classify(status, {});
    result.message = text.empty() ? fmt::format("the model answered {} without a body", status)
                                  : fmt::format("the model answered {} with {}: {}", status,
                                                excerpt(media_type(content_type), 80), text);
  }
  add_retry_after(result.message, retry_after);
  return result;
}

} // namespace troupe
