// What a request of Ollama's clients asks of the model, beside its messages.
#pragma once

#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// The members of a body that are about the answer, as JSON text.
struct ollama_settings {
  std::string_view format;
  std::string_view options;
  std::string_view think;
};

/// Writes them in OpenAI's words, as each provider here reads them: `format`; of the `options`
/// num_predict, temperature, top_p, top_k, seed, stop and the two penalties, but none that is about
/// a machine that runs the model; `think` as an effort. @param out JSON object; "" = nothing
failure write_ollama_settings(const ollama_settings& in, std::string& out);

} // namespace troupe
