// The events of a response's stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "messages/errors.hpp"
#include "messages/json.hpp"
#include "messages/wire/clients/responses/response_object.hpp"

namespace troupe {

/// Writes events of a response as SSE, each with the next number; nothing where there is nowhere to
/// write. `index` is the item's place in the output. Not thread safe.
class response_events {
public:
  /// @param out nullptr: nothing is written @param sequence the next number; outlives this
  response_events(json_buffer* out, uint64_t& sequence) : out_(out), sequence_(sequence) {}

  /// @param type "response.created"
  void response(std::string_view type, const response_head& head, const response_outcome& outcome,
                const std::vector<response_item>& items);
  void error(const failure& why);

  /// An item begins, and with it the part that its text grows in.
  void item_added(const response_item& item, size_t index);
  void delta(const response_item& item, size_t index, std::string_view text);
  /// The text is complete, and so is its part.
  void text_done(const response_item& item, size_t index);
  void item_done(const response_item& item, size_t index);

private:
  void begin(std::string_view type, std::string_view more = {}, std::string_view last = {});
  void begin_text(const response_item& item, size_t index, std::string_view end);
  void part(const response_item& item, size_t index, std::string_view end_word,
            std::string_view text);
  void whole_item(std::string_view type, const response_item& item, size_t index);
  void mcp_state(const response_item& item, size_t index, std::string_view state);
  void place(const response_item& item, size_t index);
  void end();

  json_buffer* out_;
  uint64_t& sequence_;
};

} // namespace troupe
