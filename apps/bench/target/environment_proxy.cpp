#include "apps/bench/target/environment_proxy.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include <fmt/format.h>

#include "apps/bench/target/target_address.hpp"

namespace troupe::bench {

namespace {

using variables = std::function<const char*(const char*)>;

/// Returns the first of the variables that says something, or "".
std::string first_set(const variables& value_of, std::initializer_list<const char*> names) {
  for (const auto* name : names)
    if (const char* value = value_of(name); value != nullptr && *value != '\0')
      return name;
  return {};
}

/// Returns whether an entry of no_proxy names the host: itself, or a domain that it is in.
bool names(std::string_view entry, std::string_view host) {
  if (entry.starts_with('.'))
    entry.remove_prefix(1);
  if (entry.empty() || !host.ends_with(entry))
    return entry == "*";
  return host.size() == entry.size() || host[host.size() - entry.size() - 1] == '.';
}

bool is_excepted(std::string_view list, std::string_view host) {
  constexpr std::string_view between = ", ";
  while (!list.empty()) {
    const auto end = std::min(list.find_first_of(between), list.size());
    if (names(list.substr(0, end), host))
      return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

} // namespace

std::string environment_proxy(std::string_view address, const variables& value_of) {
  const auto base = base_address(address);
  auto host = host_of(base);
  if (host.starts_with('['))
    host = host.substr(1, host.size() - 2);
  if (const auto name = first_set(value_of, {"no_proxy", "NO_PROXY"});
      !name.empty() && is_excepted(value_of(name.c_str()), host))
    return {};
  // Like libcurl, ignores HTTP_PROXY: in a CGI program it comes from the request's header "Proxy".
  const auto own = base.starts_with("https:") ? first_set(value_of, {"https_proxy", "HTTPS_PROXY"})
                                              : first_set(value_of, {"http_proxy"});
  return own.empty() ? first_set(value_of, {"all_proxy", "ALL_PROXY"}) : own;
}

std::string proxy_note(std::string_view address) {
  const auto name = environment_proxy(address, [](const char* each) { return std::getenv(each); });
  if (name.empty())
    return {};
  return fmt::format("The environment names a proxy ({}): the times are of requests through it, "
                     "unless no_proxy excepts {}.",
                     name, host_of(address));
}

} // namespace troupe::bench
