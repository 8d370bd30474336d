// Where a PostgreSQL database is, and how people are shown it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "messages/errors.hpp"

namespace troupe {

/// Returns whether a text names a PostgreSQL database: postgres://... or postgresql://...
bool is_postgres_url(std::string_view text);

/// Returns config_invalid for a URL that libpq cannot read. The text never shows the URL: it may
/// hold a password.
failure postgres_url_fault(const std::string& url);

/// Returns a URL without its password and options: "postgresql://troupe@db.example:5432/troupe".
/// Values from the environment are not shown.
std::string shown_postgres_url(const std::string& url);

/// Returns the application_name of a node's connections: "troupe/NUMBER".
std::string postgres_node_name(uint64_t incarnation);

} // namespace troupe
