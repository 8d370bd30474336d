#!/bin/bash
# The tests of several nodes with each node on a machine of its own, as far as the network can tell: in a network namespace, on a
# bridge to this machine, where PostgreSQL, the model and the clients are. One packet in a hundred is lost on its way to a node.
# Needs root, Linux, and Debian's packages iproute2 and nftables.
#   bench/cluster_machines.sh [PART]...      the parts of bench/cluster_faults.sh; kill outages apart drain, unless some are named
set -euo pipefail
cd "$(dirname "$0")/.."

export CLUSTER_NAMESPACE=troupe-$$ CLUSTER_NETWORK=${CLUSTER_NETWORK:-10.77.77}
loss=${CLUSTER_LOSS:-1} # per cent
bridge=troupe$$
nodes=(a b c)

remove() {
  for each in "${nodes[@]}"; do ip netns del "$CLUSTER_NAMESPACE-$each" 2>/dev/null || true; done
  ip link del "$bridge" 2>/dev/null || true
}
trap remove EXIT

ip link add "$bridge" type bridge
ip addr add "$CLUSTER_NETWORK.1/24" dev "$bridge"
ip link set "$bridge" up
for i in "${!nodes[@]}"; do
  name=$CLUSTER_NAMESPACE-${nodes[i]} outer=tr$$${nodes[i]}
  ip netns add "$name"
  ip link add "$outer" type veth peer name eth0 netns "$name"
  ip link set "$outer" master "$bridge" up
  ip -n "$name" addr add "$CLUSTER_NETWORK.$((11 + i))/24" dev eth0
  ip -n "$name" link set lo up
  ip -n "$name" link set eth0 up
  ip netns exec "$name" nft "table ip loss { chain in {
    type filter hook input priority 0; iif eth0 numgen random mod 100 < $loss counter drop; }; };"
done

parts=("$@")
[ $# -gt 0 ] || parts=(kill outages apart drain)
bench/cluster_faults.sh "${parts[@]}"
for each in "${nodes[@]}"; do
  ip netns exec "$CLUSTER_NAMESPACE-$each" nft list table ip loss | grep -o 'counter packets [0-9]*' | sed "s/counter/node $each: lost/"
done
