// The type-ID block: every type that travels between actors, and the atoms.
#pragma once

#include <caf/error.hpp>
#include <caf/message.hpp>
#include <caf/type_id.hpp>

#include "messages/interfaces/message_types.hpp"

CAF_BEGIN_TYPE_ID_BLOCK(troupe, caf::first_custom_type_id)

#define TROUPE_ADD_TYPE_ID(type) CAF_ADD_TYPE_ID(troupe, (troupe::type))
TROUPE_MESSAGE_TYPES(TROUPE_ADD_TYPE_ID)
#undef TROUPE_ADD_TYPE_ID

CAF_ADD_ATOM(troupe, troupe::atom, tick, "tick")
CAF_ADD_ATOM(troupe, troupe::atom, drain, "drain")
CAF_ADD_ATOM(troupe, troupe::atom, expire, "expire")
CAF_ADD_ATOM(troupe, troupe::atom, done, "done")
CAF_ADD_ATOM(troupe, troupe::atom, status, "status")
CAF_ADD_ATOM(troupe, troupe::atom, restart, "restart")
CAF_ADD_ATOM(troupe, troupe::atom, reconnect, "reconnect")
CAF_ADD_ATOM(troupe, troupe::atom, disconnect, "disconnect")
CAF_ADD_ATOM(troupe, troupe::atom, settled, "settled")
CAF_ADD_ATOM(troupe, troupe::atom, clear, "clear")
CAF_ADD_ATOM(troupe, troupe::atom, commit, "commit")
CAF_ADD_ATOM(troupe, troupe::atom, save, "save")
CAF_ADD_ATOM(troupe, troupe::atom, listed, "listed")
CAF_ADD_ATOM(troupe, troupe::atom, piece, "piece")
CAF_ADD_ATOM(troupe, troupe::atom, look, "look")

CAF_END_TYPE_ID_BLOCK(troupe)

CAF_ERROR_CODE_ENUM(troupe::errc, "troupe")
