// The tables, step by step: how an older database gets the newest schema.
#pragma once

#include "messages/errors.hpp"
#include "transport/postgres/connection/postgres_connection.hpp"

namespace troupe {

/// The version that this program reads and writes; stands in the table `about`.
int newest_postgres_schema();

/// Makes the tables in a schema of their own, or brings those of an older version up to date, in
/// one transaction; several programs may do it at once.
/// @param schema name, of lower letters, digits and _ @param makes false: there must be a store
/// @return store_newer; store_failed: what is there was made by another program, or the role may
/// not make it; request_invalid: there is no store
failure migrate_postgres(postgres_connection& db, const std::string& schema, bool makes = true);

} // namespace troupe
