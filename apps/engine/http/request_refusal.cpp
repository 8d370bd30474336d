#include "apps/engine/http/request_refusal.hpp"

#include <utility>

#include "apps/engine/http/completions_sink.hpp"
#include "apps/engine/http/response_sink.hpp"

namespace troupe {

void refuse_request(std::string_view path, http_response& response, const failure& why,
                    headers fields) {
  if (path.starts_with("/v1/chat/completions"))
    return send_completions_error(response, why, std::move(fields));
  if (!path.starts_with("/api/chat"))
    return send_error(response, why, std::move(fields));
  fields.push_back({"content-type", "text/plain; charset=utf-8"}); // the AI SDK shows it as it is
  response.send(http_status(why.code), fields, why.text());
}

} // namespace troupe
