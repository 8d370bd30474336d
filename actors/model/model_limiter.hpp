// How many requests each model gets at once, and who waits for one of its slots.
#pragma once

#include <memory>

#include <caf/local_actor.hpp>

#include "messages/cluster/cluster_counts.hpp"
#include "messages/interfaces/interfaces.hpp"

namespace troupe {

/// Spawns the actor that gives out the slots of all models, linked to its parent. Whoever holds a
/// slot or waits for one is monitored; slots are given in the order in which they were asked for.
/// A limiter that is restarted knows of no holder: while these continue, a model may get more.
/// @param nodes with a cluster: each node has its equal part of the slots, rounded up; nullptr: all
model_limiter_actor spawn_model_limiter(caf::local_actor& parent,
                                        std::shared_ptr<const cluster_counts> nodes = nullptr);

} // namespace troupe
