#include "apps/bench/target/http/troupe_server.hpp"

#include <fmt/format.h>

#include "apps/bench/target/http/http_dialect.hpp"
#include "apps/bench/target/target_address.hpp"
#include "messages/wire/percent.hpp"
#include "messages/wire/provider/provider_error.hpp"

namespace troupe::bench {

std::string troupe_address(const std::string& url, std::string_view path) {
  auto [base, query] = split(url);
  for (std::string_view route : {"/api/chat", "/v1/sessions", "/v1"})
    if (base.ends_with(route)) {
      base.resize(base.size() - route.size());
      break;
    }
  return base.append(path) + query;
}

http_request troupe_stop(const target_spec& target, const std::string& session_id) {
  auto path = "/api/chat/" + percent_encoded(session_id) + "/stop";
  return json_post(target, troupe_address(target.url, path), "");
}

http_request troupe_probe(const target_spec& target) {
  return plain_get(target, troupe_address(target.url, "/readyz"));
}

failure judge_troupe(uint16_t status, const std::string& body) {
  if (status == 200)
    return {};
  return {errc::config_invalid,
          fmt::format("the server is not ready for turns; /readyz answered {}: {}", status,
                      excerpt(body))};
}

} // namespace troupe::bench
