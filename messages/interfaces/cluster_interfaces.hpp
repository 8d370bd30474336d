// The typed actor interfaces of a cluster's node, one line of doc per message. They work within one
// process: nodes know of each other by their database.
#pragma once

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include "messages/cluster/cluster_messages.hpp"
#include "messages/cluster/cluster_node.hpp"
#include "messages/cluster/place_messages.hpp"
#include "messages/cluster/server_holder.hpp"
#include "messages/interfaces/type_ids.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::find_owner)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::list_nodes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::pick_node)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::claim_orphan)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::chat_owner)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::node_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::take_place)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::place_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::owner_turns)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::want_server)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::server_closed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::server_assignment)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::mcp_outbound)

namespace troupe {

/// Answers where a turn runs; detached. Who has a chat comes from the database each time.
using cluster_directory_actor = caf::typed_actor<
    // The node that runs a turn of a chat.
    caf::replies_to<find_owner>::with<chat_owner>,
    // All nodes.
    caf::replies_to<list_nodes>::with<node_list>,
    // The other node that has the least to do.
    caf::replies_to<pick_node>::with<chat_owner>,
    // Frees a chat that the node does not run which is said to.
    caf::replies_to<claim_orphan>::with<chat_owner>>;

/// The connection to an MCP server that exists once in a cluster: here, or through another node.
using single_server_link_actor = caf::typed_actor<
    // A message for the server.
    caf::reacts_to<mcp_outbound>,
    // Closes the connection in order.
    caf::reacts_to<atom::disconnect>,
    // From the cluster_member.
    caf::reacts_to<server_assignment>,
    // INTERNAL: from the channel; time for another attempt (its number); patience is over.
    caf::reacts_to<mcp_inbound>, caf::reacts_to<atom::reconnect, uint64_t>,
    caf::reacts_to<atom::expire>>;

/// Keeps this node's lease, and sweeps dead nodes; detached.
using cluster_member_actor = caf::typed_actor<
    // Tells the sender, a single_server_link, where a server is, from now on.
    caf::reacts_to<want_server>,
    // The sender has closed a server that was here.
    caf::reacts_to<server_closed>,
    // Tells the others that this node takes no more turns.
    caf::replies_to<atom::drain>::with<atom::done>,
    // Gives the lease back; nothing of this node may run any more.
    caf::replies_to<atom::disconnect>::with<atom::done>,
    // INTERNAL: time for a beat; time for a piece of sweeping.
    caf::reacts_to<atom::tick>, caf::reacts_to<atom::piece>>;

/// Shares limits with the other nodes; detached.
using cluster_limits_actor = caf::typed_actor<
    // A place for one more turn of an owner.
    caf::replies_to<take_place>::with<place_answer>,
    // How many turns of an owner run here now.
    caf::reacts_to<owner_turns>,
    // No turn runs here.
    caf::reacts_to<atom::clear>,
    // INTERNAL: time to tell the others what was used; to look once more for a place.
    caf::reacts_to<atom::tick>, caf::reacts_to<atom::look>>;

} // namespace troupe
