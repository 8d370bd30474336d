#include "apps/engine/http/requests/client_paths.hpp"

#include <algorithm>
#include <array>

namespace troupe {

namespace {

/// The resources after `/v1` in the clients' paths.
constexpr std::array<std::string_view, 6> resources{
    "/chat/completions", "/completions", "/responses", "/models", "/messages", "/embeddings"};

bool is_resource(std::string_view path) {
  return std::ranges::any_of(resources, [path](auto each) {
    return path.starts_with(each) && (path.size() == each.size() || path[each.size()] == '/');
  });
}

/// Returns the path without slashes behind slashes and at its end.
std::string with_single_slashes(std::string_view path) {
  std::string out;
  for (const char c : path)
    if (c != '/' || !out.ends_with('/'))
      out.push_back(c);
  while (out.ends_with('/'))
    out.pop_back();
  return out;
}

} // namespace

std::string meant_client_path(std::string_view path) {
  constexpr std::string_view version = "/v1";
  const auto plain = with_single_slashes(path);
  auto rest = std::string_view{plain};
  while (rest.starts_with("/v1/"))
    rest.remove_prefix(version.size());
  if (!is_resource(rest))
    return {};
  auto meant = std::string{version}.append(rest);
  return meant == path ? std::string{} : meant;
}

} // namespace troupe
