// Data that a chat-completions server wants back unchanged: signatures and sealed reasoning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "messages/json.hpp"
#include "messages/wire/json/surrogate_joiner.hpp"

namespace troupe {

/// Returns whether `json` is a valid object of objects, as {"google":{"thought_signature":"..."}}.
/// @param json a slice (see json_slice.hpp), checked or not
bool is_openai_metadata(std::string_view json);

/// Joins the metadata of one answer from its chunks. Not thread safe.
class openai_metadata {
public:
  static constexpr size_t max_bytes = size_t{1024} * 1024; ///< with more, all of it is dropped

  /// Takes `reasoning_details`, a list. An entry continues the entry before it if both have the
  /// same type and index and come in different chunks: a stream and a plain answer give the same
  /// result.
  void add_details(std::string_view json);

  /// Takes `extra_content` of a message, an object of objects.
  void add_extra(std::string_view json);

  /// Returns chat_message::provider_metadata: the namespaces of the extra content, and
  /// {"openai":{"reasoning_details":[...]}}; "" if nothing came.
  std::string text() const;

private:
  struct member {
    std::string key;
    std::string value; ///< JSON, or the characters of a text
    bool is_text = false;
    surrogate_joiner characters = {}; ///< of a text
  };
  struct detail {
    std::string type;
    std::string index;
    uint64_t chunk = 0;
    std::vector<member> members;
  };

  void add_detail(std::string_view json);
  void put(detail& into, std::string_view key, std::string_view value);
  void append_details(json_buffer& out) const;

  std::vector<detail> details_;
  std::vector<std::pair<std::string, std::string>> extra_;
  uint64_t chunk_ = 0;
  size_t bytes_ = 0;
};

} // namespace troupe
