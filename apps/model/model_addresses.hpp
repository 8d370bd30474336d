// The addresses of the scripted model, of all providers on one port.
#pragma once

#include <cstdint>
#include <string>

#include "apps/model/model_shard.hpp"
#include "messages/http.hpp"

namespace troupe::scripted {

/// The purpose of an address.
enum class purpose : uint8_t {
  answer,   ///< of the model
  list,     ///< what providers tell beside: model_lists.hpp
  stats,    ///< the counters
  requests, ///< the last requests
  clear_requests,
  unknown_path,
  wrong_method,
};

/// The purpose of a request, by its method and path.
struct asked_purpose {
  purpose what = purpose::unknown_path;
  request_address answer = {}; ///< the dialect of refusals, too; never without one
  std::string allowed = {};    ///< with wrong_method: the methods that there are
  std::string body = {};       ///< with list; "": there is no such model
};

/// Returns what a request asks for. @param shows_requests false: only what a provider has
asked_purpose purpose_of(const server_request& request, bool shows_requests);

} // namespace troupe::scripted
