// What clients ask of a provider beside answers: its models, its version, a count of tokens.
#pragma once

#include <string>
#include <string_view>

#include "messages/http.hpp"

namespace troupe::scripted {

/// The lists of the scripts as the models of a provider, and one model of each, as JSON; "" for a
/// name that no script has.
std::string openai_models();
std::string openai_model(std::string_view name);
std::string anthropic_models();
std::string anthropic_model(std::string_view name);
std::string gemini_models();
std::string gemini_model(std::string_view name);

/// Ollama's GET /api/tags, and POST /api/show for the model that the body names.
std::string ollama_tags();
std::string ollama_show(std::string_view body);

} // namespace troupe::scripted
