#include "apps/engine/http/requests/request_refusal.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "apps/engine/http/sinks/claude_sink.hpp"
#include "apps/engine/http/sinks/completions_sink.hpp"
#include "apps/engine/http/sinks/ollama_sink.hpp"
#include "apps/engine/http/sinks/response_sink.hpp"

namespace troupe {

namespace {

bool is_openai_path(std::string_view path) {
  constexpr std::array<std::string_view, 5> begins{"/v1/chat/completions", "/v1/completions",
                                                   "/v1/responses", "/v1/models", "/v1/embeddings"};
  return std::ranges::any_of(begins, [path](auto each) { return path.starts_with(each); });
}

/// Paths below /api are Ollama's, but for the routes that clients of the AI SDK share.
bool is_ollama_path(std::string_view path) {
  return path.starts_with("/api/") && !path.starts_with("/api/chat");
}

} // namespace

void refuse_request(std::string_view path, http_response& response, const failure& why,
                    headers fields) {
  if (is_openai_path(path))
    return send_completions_error(response, why, std::move(fields));
  if (path == "/v1/messages" || path.starts_with("/v1/messages/"))
    return send_claude_error(response, why, std::move(fields));
  if (is_ollama_path(path))
    return send_ollama_error(response, why, std::move(fields));
  if (!path.starts_with("/api/chat"))
    return send_error(response, why, std::move(fields));
  fields.push_back({"content-type", "text/plain; charset=utf-8"}); // the AI SDK shows it as it is
  add_retry_after(fields, why);
  response.send(http_status(why.code), fields, why.text());
}

} // namespace troupe
