#!/bin/sh
# Starts three nodes and nginx in front of them, and ends them together.
#   STORE=postgresql://... CLUSTER_SECRET=... docs/cluster/start.sh
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
: "${STORE:?names the database: postgresql://USER@HOST/NAME}"
: "${CLUSTER_SECRET:?is what all nodes have in common: at least 16 characters}"
export STORE CLUSTER_SECRET
PATH=$PATH:/usr/sbin # of nginx, on Debian
work=$(mktemp -d)

nodes=
for each in a:8081:8091 b:8082:8092 c:8083:8093; do
  ports=${each#*:}
  NODE=${each%%:*} PORT=${ports%:*} NODE_PORT=${ports#*:} \
    "${TROUPE:-troupe}" serve --config "$here/node.json" &
  nodes="$nodes $!"
done
nginx -p "$work" -c "$here/nginx.conf" &
proxy=$!

# nginx ends last: until then requests that come go to the nodes that are left.
end() {
  trap - INT TERM
  for node in $nodes; do kill "$node" 2>/dev/null || true; done
  for node in $nodes; do wait "$node" || true; done
  kill "$proxy" 2>/dev/null || true
  wait "$proxy" || true
  rm -r "$work"
  exit 0
}
trap end INT TERM
wait "$proxy" || true # or it cannot listen
end
