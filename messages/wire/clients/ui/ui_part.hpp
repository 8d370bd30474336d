// One part of the AI SDK's UI messages, as it came.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "messages/wire/json/json_source.hpp"

namespace troupe {

/// The members of one part, as slices of a json_source.
struct ui_part {
  std::string_view type;
  std::string_view id;
  std::string_view text;
  std::string_view state;
  std::string_view tool_call_id;
  std::string_view tool_name;
  std::string_view input;
  std::string_view raw_input;
  std::string_view output;
  std::string_view error_text;
  std::string_view title;
  std::string_view media_type;
  std::string_view filename;
  std::string_view url;
  std::string_view approval;
  std::string_view call_metadata; ///< callProviderMetadata
  std::string_view metadata;      ///< providerMetadata
  std::string more = {};          ///< all other members, as `,"name":value`

  /// Takes a member; of a repeated key the last value counts.
  void take(std::string_view key, json_value value);

  /// Returns whether it has no members but these.
  bool has_only(std::initializer_list<std::string_view> names) const;

  /// Returns the members but these as an object; "" if there are none.
  std::string others(std::initializer_list<std::string_view> names) const;

  /// Returns the whole part, an object whose first member is `type`.
  std::string whole() const { return others({}); }
};

} // namespace troupe
