#include "apps/engine/http/nodes/forward_metrics.hpp"

#include <string_view>
#include <utility>

namespace troupe {

void write_forward_metrics(prometheus_text& out, const forward_counts& counts) {
  out.family("troupe_cluster_forwards_total", metric_kind::counter,
             "Requests that this node handed to another one.");
  for (const auto& [result, count] : {std::pair{std::string_view{"passed"}, &counts.passed},
                                      {"broken", &counts.broken},
                                      {"not_owner", &counts.not_owner},
                                      {"unreachable", &counts.unreachable},
                                      {"refused", &counts.refused}})
    out.sample({{"result", result}}, static_cast<double>(count->load()));
  out.single("troupe_cluster_forwards_open", metric_kind::gauge,
             "Answers of other nodes that are on their way to clients.",
             static_cast<double>(counts.open.load()));
}

} // namespace troupe
