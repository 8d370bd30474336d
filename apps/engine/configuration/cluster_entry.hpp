// The section `cluster` in the configuration.
#pragma once

#include <optional>

#include "apps/engine/configuration/object_reader.hpp"
#include "messages/cluster/cluster_config.hpp"
#include "messages/errors.hpp"

namespace troupe {

/// Reads the section, if there is one. `advertise` is filled in where it follows from `listen`;
/// the strings are checked by check_cluster().
/// @param root of the whole configuration
void read_cluster(object_reader& root, std::optional<cluster_config>& out);

/// Checks a section from a file or a program.
/// @return config_invalid with the key ("cluster.node must be..."), or no error
failure check_cluster(const cluster_config& cluster);

} // namespace troupe
