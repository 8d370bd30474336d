#include "apps/engine/configuration/cluster_entry.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace troupe {

namespace {

constexpr size_t longest_name = 64;
constexpr size_t shortest_secret = 16;
constexpr int64_t shortest_beat = 50, longest_beat = 60'000;
constexpr int64_t shortest_lease = 2000, longest_lease = 600'000;
constexpr int64_t longest_notice = 3600; // seconds
/// A lease must outlast some beats that come late.
constexpr int beats_of_lease = 4;

failure wrong(std::string_view key, std::string_view what) {
  return {errc::config_invalid, fmt::format("cluster.{} {}", key, what)};
}

bool is_node_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= longest_name && std::ranges::all_of(text, fits);
}

bool is_base_url(std::string_view text) {
  for (std::string_view scheme : {"http://", "https://"})
    if (text.starts_with(scheme)) {
      const auto rest = text.substr(scheme.size());
      return !rest.empty() && rest.front() != '/' && rest.find_first_of("?# @") == rest.npos &&
             rest.back() != '/';
    }
  return false;
}

/// Returns the address that follows from what is listened on; "": none does.
std::string url_of(std::string_view listen) {
  const auto colon = listen.rfind(':');
  const auto host = listen.substr(0, std::min(colon, listen.size()));
  const auto port = colon == listen.npos ? std::string_view{} : listen.substr(colon + 1);
  const bool is_one = !host.empty() && host != "0.0.0.0" && host != "[::]" && host != "*";
  return is_one && !port.empty() && port != "0" ? fmt::format("http://{}", listen) : std::string{};
}

failure check_times(const cluster_config& cluster) {
  const auto beat = cluster.beat.count(), lease = cluster.lease.count();
  if (beat < shortest_beat || beat > longest_beat)
    return wrong("beatMs",
                 fmt::format("must be a whole number from {} to {}", shortest_beat, longest_beat));
  if (lease < shortest_lease || lease > longest_lease)
    return wrong("leaseMs", fmt::format("must be a whole number from {} to {}", shortest_lease,
                                        longest_lease));
  if (lease < beat * beats_of_lease)
    return wrong("leaseMs", fmt::format("must be at least {} times beatMs, which is {}",
                                        beats_of_lease, beat));
  return {};
}

} // namespace

void read_cluster(object_reader& root, std::optional<cluster_config>& out) {
  root.read_object("cluster", [&out](object_reader& in) {
    cluster_config read;
    in.require("node", read.node);
    in.require("listen", read.listen);
    in.read("advertise", read.advertise);
    in.require("secret", read.secret);
    in.read("beatMs", read.beat);
    in.read("leaseMs", read.lease);
    auto notice = std::chrono::duration_cast<std::chrono::seconds>(read.drain_notice).count();
    in.read("drainNoticeSeconds", notice, 0, longest_notice);
    read.drain_notice = std::chrono::seconds{notice};
    if (read.advertise.empty())
      read.advertise = url_of(read.listen);
    out = std::move(read);
  });
}

failure check_cluster(const cluster_config& cluster) {
  if (!is_node_name(cluster.node))
    return wrong("node", fmt::format("must be a name of at most {} letters, digits and . _ -, "
                                     "which no other node has",
                                     longest_name));
  if (cluster.listen.rfind(':') == std::string::npos)
    return wrong("listen", "must be HOST:PORT, where the other nodes reach this one");
  if (cluster.advertise.empty())
    return wrong("advertise", "is missing: name the URL at which the other nodes reach "
                              "cluster.listen, such as http://10.0.0.1:8090");
  if (!is_base_url(cluster.advertise))
    return wrong("advertise", "must be a URL such as http://10.0.0.1:8090, without a slash at "
                              "its end");
  if (cluster.secret.size() < shortest_secret)
    return wrong("secret", fmt::format("must have at least {} characters, and be the same on "
                                       "all nodes; head -c 32 /dev/urandom | base64 makes one",
                                       shortest_secret));
  return check_times(cluster);
}

} // namespace troupe
