#!/bin/bash
# The tests of several nodes, whole: what the gate runs with few rounds. All of it takes some 40 minutes.
#   bench/cluster_faults.sh [kill|freeze|turns|outages|apart|limits|forward|drain|slow|port]...
set -euo pipefail
cd "$(dirname "$0")/.."
export TROUPE_BIN=${TROUPE_BIN:-$PWD/build/release/bin}

run() {
  tests/integration/run "tests/integration/cluster/cluster_$1.test.mjs"
}

for what in "${@:-kill freeze turns outages apart limits forward drain slow port}"; do
  for each in $what; do
    case $each in
      kill) CLUSTER_KILLS=6 CLUSTER_CHATS=300 CLUSTER_PAUSE=10000 run kill ;;
      freeze) CLUSTER_FREEZES=20 run freeze ;;
      turns) CLUSTER_ROUNDS=1000 run turns ;;
      outages) CLUSTER_CUT=30 CLUSTER_RESTARTS=10 CLUSTER_CHATS=60 run outages ;;
      apart) run apart ;;
      limits) CLUSTER_SECONDS=60 run limits ;;
      forward) CLUSTER_ROUNDS=1000 run forward && CLUSTER_ROUNDS=1000 run sockets ;;
      drain) CLUSTER_CLIENTS=300 CLUSTER_RESTARTS=2 CLUSTER_TURNS=10000 run drain ;;
      slow) CLUSTER_VIEWERS=20 CLUSTER_TOKENS=100000 run slow ;;
      port) CLUSTER_STRANGERS=10000 run port ;;
      *) echo "there is no part '$each'; see the first lines of this script" >&2; exit 2 ;;
    esac
  done
done
