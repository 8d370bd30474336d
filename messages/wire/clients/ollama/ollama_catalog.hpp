// The catalog of models for Ollama's clients.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// The version of Ollama whose API its clients find here: they look whether it has what they need.
inline constexpr std::string_view ollama_api_version = "0.14.3";

/// The tag of names that have none. Ollama's clients add it where it lacks.
inline constexpr std::string_view ollama_tag = ":latest";

/// The known properties of one model.
struct ollama_model {
  bool sees_images = false;
  bool thinks = false;
  uint64_t context_tokens = 0; ///< 0: not known
};

/// Returns the answer of GET /api/version.
std::string ollama_version_json();

/// Returns the answer of GET /api/tags. Names without a tag get ollama_tag. @param names of models
std::string ollama_tags_json(const std::set<std::string>& names);

/// Returns the answer of POST /api/show.
std::string ollama_show_json(const ollama_model& of);

/// Reads the name from the body of POST /api/show, `model`, or `name` as older clients have it.
failure read_ollama_model(std::string_view body, std::string& name);

} // namespace troupe
