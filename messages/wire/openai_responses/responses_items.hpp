// The items of one answer of the Responses API, and the parts of them that were shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"

namespace troupe {

/// The kind of an answer's item.
enum class responses_item_kind : uint8_t {
  message,
  reasoning,
  call,  ///< of a function, or of a custom tool
  other, ///< what the provider ran itself, or something newer
};

/// Returns the kind by the item's `type`, without quotes.
responses_item_kind responses_item_kind_of(std::string_view type);

/// The kinds of parts; each counts its parts by itself.
enum class responses_part_kind : uint8_t { text, refusal, summary, thought };

/// One item of an answer, as far as it came.
struct responses_item {
  static constexpr size_t max_parts = 1024; ///< more are not told apart

  responses_item_kind kind = responses_item_kind::other;
  int64_t index = -1;         ///< output_index; negative: none given
  std::string call_id;        ///< of a call, as the server gave it first
  bool done = false;          ///< the final item came
  bool has_name = false;      ///< of a call: it was shown
  bool has_arguments = false; ///< of a call: they were shown, or some of them
  std::string kept;           ///< kept_item() of the final item

  /// Notes that a part is shown. Returns whether it is the first time.
  bool show(responses_part_kind part, int64_t number);

  /// Returns whether reasoning of the other of its two kinds was shown.
  bool shows_other_than(responses_part_kind part) const;

private:
  struct shown_part {
    responses_part_kind kind;
    int64_t number;
    bool operator==(const shown_part&) const = default;
  };
  std::vector<shown_part> shown_; ///< the newest is the last
};

/// Finds the item of each event. Servers change the ids of items from event to event, give one
/// index to several items, or leave events out: an item is known by its kind and its index, a call
/// by its id as well. Items stand in the order in which they began. Not thread safe.
class responses_items {
public:
  static constexpr size_t max_items = 1024;

  /// Returns the place of an item that begins. @param call_id of a call; else ""
  size_t begin(responses_item_kind kind, int64_t index, std::string_view call_id);

  /// Returns the place of the item that a piece belongs to; makes one where none began.
  size_t current(responses_item_kind kind, int64_t index);

  /// Returns the place of the item that is complete; makes one where none began.
  size_t finish(responses_item_kind kind, int64_t index, std::string_view call_id);

  /// Returns whether an item of that index began and is not complete.
  bool is_open(responses_item_kind kind, int64_t index) const;

  /// Returns whether there are more items than an answer has; further ones are not told apart.
  bool overflows() const noexcept { return items_.size() > max_items; }

  /// Returns the fault of an answer whose items overflow.
  static failure overflow();

  /// Returns the place of one of the items.
  int64_t place_of(const responses_item& item) const noexcept { return &item - items_.data(); }

  responses_item& operator[](size_t place) { return items_[place]; }
  const std::vector<responses_item>& all() const noexcept { return items_; }

private:
  size_t make(responses_item_kind kind, int64_t index);

  std::vector<responses_item> items_;
};

} // namespace troupe
