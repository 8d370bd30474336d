// A request as one node hands it to another, and its answer's way back.
#pragma once

#include <cstdint>
#include <string>

#include "apps/engine/http/nodes/forward_signature.hpp"
#include "messages/errors.hpp"
#include "messages/http.hpp"

namespace troupe {

/// For whom a request is forwarded, in place of a key, and to which node.
struct forward_terms {
  std::string owner;             ///< "" in single-user mode
  uint32_t concurrent_turns = 0; ///< the key's limit; 0: any number
  uint64_t to = 0; ///< the start of the node that is said to run the turn; 0: whichever node
};

/// The node that forwards: its name, and the signature of its requests.
struct forward_sender {
  std::string name;
  const forward_signature& signature; ///< outlives this
};

/// Returns a request to the node at `address` with the same method, target and body. Fields that
/// concern the connection, the client's key or its page are left out.
/// @param address base URL, without a slash at its end
http_request make_forward(const server_request& what, const forward_terms& terms,
                          const forward_sender& from, const std::string& address);

/// Reads what make_forward() has said. @param with_body false: the body has not come yet
/// @return unauthorized without a signature, forbidden with a wrong or an old one; else none
failure read_forward(const server_request& request, const forward_signature& by, bool with_body,
                     forward_terms& out);

/// Returns the fields of an answer that go on to the client: not those that concern the connection,
/// and not those that our server writes itself.
headers passed_fields(headers of_answer);

/// Removes the fields that only nodes may send.
void drop_node_fields(headers& of_request);

/// Is in an answer's head if the node has not looked at the request: it was not let in, or the node
/// does not run the turn.
inline constexpr std::string_view not_taken_field = "troupe-not-taken";

} // namespace troupe
