// The parameters of a request to a Gemini model, beside its contents and tools.
#pragma once

#include <string>

#include "messages/json.hpp"
#include "messages/wire/gemini/gemini_family.hpp"
#include "messages/wire/provider/request_parameters.hpp"

namespace troupe {

/// The parameters of one request in Gemini's words.
class gemini_parameters {
public:
  gemini_parameters(request_parameters asked, const gemini_family& family, bool has_tools);

  /// Returns whether a cached content is used, which holds system message and tools.
  bool uses_cache() const noexcept { return uses_cache_; }

  /// Returns what is to be said to a model that takes no schema of the answer beside tools; "" =
  /// nothing.
  const std::string& demand() const noexcept { return demand_; }

  /// Appends toolConfig, generationConfig and what the configuration has in Gemini's own words,
  /// each after a comma. Words of OpenAI that mean nothing here are left out, since Gemini refuses
  /// a request with an unknown member.
  void append(json_buffer& out);

private:
  void append_tool_config(json_buffer& out);
  std::string generation_config();
  void add_format();

  request_parameters asked_;
  const gemini_family& family_;
  bool has_tools_;
  bool uses_cache_;
  std::string demand_;
  json_members config_; ///< of generationConfig
};

} // namespace troupe
