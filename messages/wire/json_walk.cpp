#include "messages/wire/json_walk.hpp"

#include <array>
#include <charconv>
#include <string>

#include <simdjson.h>

#include "messages/wire/json_unescape.hpp"

namespace troupe {

namespace {

namespace od = simdjson::ondemand;

constexpr size_t max_nesting = 16;       ///< of walks; what is deeper can not be walked
constexpr size_t kept_bytes = 16 * 1024; ///< larger walkers are given back after use

/// What one walk needs; a walk inside a walk takes another one.
struct walker {
  od::parser parser{};
  std::string text{}; ///< padded copy
};

/// Hands out the walkers of a thread, one for each walk that is open.
class walker_lease {
public:
  walker_lease() : mine_(take()) {}
  ~walker_lease() {
    if (mine_ == nullptr)
      return;
    if (mine_->text.capacity() > kept_bytes)
      *mine_ = walker{};
    --open_walks();
  }
  walker_lease(const walker_lease&) = delete;
  walker_lease& operator=(const walker_lease&) = delete;

  /// Begins to read a copy of `json`; false when it can not be read.
  bool open(std::string_view json, od::document& document) {
    if (mine_ == nullptr)
      return false;
    mine_->text.reserve(json.size() + simdjson::SIMDJSON_PADDING);
    mine_->text = json;
    return mine_->parser.iterate(mine_->text.data(), json.size(), mine_->text.capacity())
               .get(document) == simdjson::SUCCESS;
  }

private:
  static size_t& open_walks() {
    thread_local size_t count = 0;
    return count;
  }

  static walker* take() {
    thread_local std::array<walker, max_nesting> walkers;
    return open_walks() < max_nesting ? &walkers[open_walks()++] : nullptr;
  }

  walker* mine_;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  auto end = text.find_last_not_of(space);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end + 1);
}

bool read_text(od::value value, std::string_view& out) {
  auto token = value.raw_json_token();
  if (token.starts_with('{') || token.starts_with('[')) {
    if (simdjson::to_json_string(value).get(out) != simdjson::SUCCESS)
      return false;
    out = trimmed(out);
  } else {
    out = trimmed(token);
  }
  return true;
}

} // namespace

bool walk_object(std::string_view json,
                 const std::function<bool(std::string_view, std::string_view)>& visit) {
  walker_lease lease;
  od::document document;
  od::object object;
  if (!lease.open(json, document) || document.get_object().get(object) != simdjson::SUCCESS)
    return false;
  for (auto each : object) {
    od::field field;
    std::string_view key;
    std::string_view text;
    if (std::move(each).get(field) != simdjson::SUCCESS ||
        field.unescaped_key().get(key) != simdjson::SUCCESS || !read_text(field.value(), text) ||
        !visit(key, text))
      return false;
  }
  return true;
}

bool walk_array(std::string_view json, const std::function<bool(std::string_view)>& visit) {
  walker_lease lease;
  od::document document;
  od::array array;
  if (!lease.open(json, document) || document.get_array().get(array) != simdjson::SUCCESS)
    return false;
  for (auto each : array) {
    od::value value;
    std::string_view text;
    if (std::move(each).get(value) != simdjson::SUCCESS || !read_text(value, text) || !visit(text))
      return false;
  }
  return true;
}

std::string string_of(std::string_view json) {
  std::string text;
  if (json.size() >= 2 && json.front() == '"' && json.back() == '"')
    append_unescaped(text, json.substr(1, json.size() - 2));
  return text;
}

uint64_t count_of(std::string_view json) {
  double number = 0;
  auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), number);
  bool good = error == std::errc{} && end == json.data() + json.size();
  return good && number > 0 && number < 1e15 ? static_cast<uint64_t>(number) : 0;
}

} // namespace troupe
