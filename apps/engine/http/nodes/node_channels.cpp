#include "apps/engine/http/nodes/node_channels.hpp"

#include <algorithm>
#include <charconv>

#include "actors/cluster/single_server_link.hpp"
#include "apps/engine/http/nodes/forward_fields.hpp"

namespace troupe {

namespace {

/// Returns where the path of a URL begins.
size_t path_of(std::string_view url) {
  const auto scheme = url.find("://");
  return std::min(url.find('/', scheme == url.npos ? 0 : scheme + 3), url.size());
}

} // namespace

std::unique_ptr<http_exchange> node_http::open(http_request request, uint64_t exchange,
                                               receiver deliver) {
  const auto path = path_of(request.url);
  server_request what;
  what.method = std::move(request.method);
  what.target = request.url.substr(path);
  what.fields = std::move(request.fields);
  what.body = std::move(request.body);
  forward_terms terms;
  const auto to = find_header(what.fields, meant_node_field);
  std::from_chars(to.data(), to.data() + to.size(), terms.to);
  auto out = make_forward(what, terms, {node_, signature_}, request.url.substr(0, path));
  out.deadlines.first_byte = request.deadlines.first_byte;
  out.deadlines.idle = request.deadlines.idle;
  out.deadlines.total = request.deadlines.total;
  out.once = request.once;
  return http_.open(std::move(out), exchange, std::move(deliver));
}

} // namespace troupe
