#include "messages/wire/openai_chat/openai_hosts.hpp"

#include <algorithm>
#include <array>

#include "messages/ascii_case.hpp"
#include "messages/wire/provider/request_frame.hpp"

namespace troupe {

namespace {

/// Returns whether the host is `domain`, or lies in it.
bool lies_in(std::string_view host, std::string_view domain) {
  host = host.substr(0, host.find(':'));
  if (host.size() < domain.size())
    return false;
  const auto end = host.substr(host.size() - domain.size());
  return same_ignoring_case(end, domain) &&
         (host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.');
}

} // namespace

std::string_view host_in(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos)
    return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  return url.substr(url.rfind('@') + 1); // npos + 1 is 0
}

bool is_openai(std::string_view url) {
  return lies_in(host_in(url), "openai.com");
}

bool is_azure(std::string_view url) {
  // Not all of azure.com: the gateway of GitHub's models lies there, and wants a bearer token.
  constexpr std::array<std::string_view, 7> domains{
      "openai.azure.com", "cognitiveservices.azure.com", "services.ai.azure.com",
      "openai.azure.us",  "cognitiveservices.azure.us",  "openai.azure.cn",
      "azure-api.net",
  };
  const auto host = host_in(url);
  return std::ranges::any_of(domains, [host](auto each) { return lies_in(host, each); });
}

bool is_mistral(std::string_view url) {
  return lies_in(host_in(url), "mistral.ai");
}

header openai_key(const model_config& model) {
  if (model.api_key.empty() || has_field(model.fields, "authorization") ||
      has_field(model.fields, "api-key"))
    return {};
  return is_azure(model.base_url) ? header{"api-key", model.api_key}
                                  : header{"authorization", "Bearer " + model.api_key};
}

} // namespace troupe
