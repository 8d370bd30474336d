// Where the nodes of a cluster are: all on this machine's loopback, or each in a network namespace of its own, which is as good as a
// machine of its own. bench/cluster_machines.sh makes those, and says in CLUSTER_NETWORK how their addresses begin.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const network = process.env.CLUSTER_NETWORK;
const namespaceOf = (name) => `${process.env.CLUSTER_NAMESPACE}-${name}`;

/** The address of what is no node: models, clients, PostgreSQL. */
export const here = network ? `${network}.1` : '127.0.0.1';

/** The network that PostgreSQL has to let in, if nodes do not reach it by its socket. */
export const nodesNetwork = network && `${network}.0/24`;

/** The address of a node, how its program is started there, and what it has to be told. */
export function placeOf(name) {
  if (!network) return { address: here, through: [], args: [] };
  return {
    address: `${network}.${11 + 'abcdefgh'.indexOf(name)}`,
    through: ['ip', 'netns', 'exec', namespaceOf(name)],
    args: ['--anyone'],
  };
}

/** The line of a node to one address and port, which can be cut: nothing comes through, nothing is closed. */
export class Link {
  constructor(name, { address, port }) {
    this.name = name;
    this.there = `ip daddr ${address} tcp dport ${port} drop`;
    this.back = `ip saddr ${address} tcp sport ${port} drop`;
  }

  cut() {
    const chain = (hook, rule) => `chain ${hook} { type filter hook ${hook} priority 0; ${rule}; };`;
    this.#nft(`table ip cut { ${chain('output', this.there)} ${chain('input', this.back)} };`);
  }

  mend() {
    this.#nft('delete table ip cut;');
  }

  #nft(rules) {
    const { status, stderr } = spawnSync('ip', ['netns', 'exec', namespaceOf(this.name), 'nft', rules], { encoding: 'utf8' });
    assert.equal(status, 0, `nft ${rules}: ${stderr}`);
  }
}
