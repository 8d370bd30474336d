// Differences between Gemini's models, and between the places that serve them.
#pragma once

#include "messages/chat/model_config.hpp"

namespace troupe {

/// The part of the API that a model takes, as far as its name and its address tell.
struct gemini_family {
  int generation = 0;   ///< in tenths: 25 for gemini-2.5-flash; 0: not to be seen
  bool is_pro = false;  ///< of these, thinking cannot be switched off
  bool is_lite = false; ///< flash-lite
  bool is_gemma = false;
  bool is_google = false; ///< Google's own address of the Gemini API

  /// Returns whether tools and answers are described by JSON Schema itself, not by Gemini's subset
  /// of it.
  bool takes_json_schema() const noexcept { return generation >= 25 && is_google; }

  bool thinks() const noexcept { return generation >= 25; }

  /// Returns whether thinking has levels, not a budget of tokens; these models also refuse the
  /// first call of a step without its signature, and take files inside of results.
  bool has_levels() const noexcept { return generation >= 30; }

  /// Returns whether an answer can be bound to a schema while there are tools.
  bool joins_tools_and_schema() const noexcept { return generation >= 30; }
};

/// Reads name and address of a model. An alias that ends with "latest" counts as the newest
/// generation.
gemini_family gemini_family_of(const model_config& model);

} // namespace troupe
