// Nodes of a cluster on one PostgreSQL of the test's own, each a process of its own.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { placeOf } from './network.mjs';
import { freePort } from './servers.mjs';
import { settles, until } from './patience.mjs';
import { Postgres } from './postgres.mjs';
import { StoreServer } from './store_server.mjs';

export const secret = 'the-secret-of-the-test-cluster';

/** The number that claims name a node by, and what the database has of it. */
const columns = "incarnation, convert_from(name, 'UTF8'), state, running";

export class Cluster {
  /** Makes the database and the nodes, and resolves when all of them take turns. */
  static async start(t, { nodes = 3, config = {}, cluster = {}, env = {} } = {}) {
    const postgres = await Postgres.start(t);
    const made = new Cluster(postgres, env);
    for (let i = 0; i < nodes; i += 1) made.nodes.push(await made.node(t, 'abcdefgh'[i], config, cluster));
    for (const node of made.nodes) await node.ready();
    return made;
  }

  /** @param env what all nodes have in their environment */
  constructor(postgres, env = {}) {
    this.postgres = postgres;
    this.env = env;
    this.nodes = [];
  }

  /** A node, which does not run yet; `inner` is its address within the cluster. CLUSTER_OLD names another program for it. */
  async node(t, name, config = {}, cluster = {}) {
    const { address, through, args } = placeOf(name);
    const listen = `${address}:${await freePort()}`;
    const made = new StoreServer(t, {
      listen: `${address}:0`,
      store: this.postgres.url,
      cluster: { node: name, listen, secret, ...cluster },
      ...config,
    }, { env: this.env, through, args });
    return Object.assign(made, { name, inner: listen, binary: process.env.CLUSTER_OLD });
  }

  /** The rows of the nodes, by name. */
  rows() {
    const found = this.postgres.sql(`SELECT ${columns} FROM troupe.nodes ORDER BY 2`);
    return found.split('\n').filter(Boolean).map((line) => {
      const [incarnation, name, state, running] = line.split('|');
      return { incarnation, name, state: Number(state), running: Number(running) };
    });
  }

  incarnationOf(name) {
    return this.rows().find((row) => row.name === name && row.state !== 2)?.incarnation;
  }

  /** A number that a question comes back with. */
  count(question) {
    return Number(this.postgres.sql(question));
  }

  /**
   * Resolves when each node judges about others, whose lease must have had no gap for the time of one: it then takes away
   * a row of a node that never was, which nobody else can.
   */
  async judging() {
    this.postgres.sql(`
      CREATE TABLE troupe.decoys(incarnation bigint PRIMARY KEY, judge text);
      CREATE FUNCTION troupe.leave_decoy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM troupe.decoys d WHERE d.incarnation = NEW.incarnation
                   AND d.judge <> current_setting('application_name')) THEN RETURN NULL; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER leave_decoy BEFORE UPDATE ON troupe.nodes FOR EACH ROW EXECUTE FUNCTION troupe.leave_decoy();`);
    const judges = this.nodes.map(({ name }, i) => [i + 1, `troupe/${this.incarnationOf(name)}`, `${name}!`]);
    this.postgres.sql(`
      INSERT INTO troupe.decoys VALUES ${judges.map(([decoy, judge]) => `(${decoy}, '${judge}')`)};
      INSERT INTO troupe.nodes(incarnation, name, address, version, state, wanted, running, beat, renewed, lease_until)
        VALUES ${judges.map(([decoy, , name]) => `(${decoy}, '${name}', '', '', 0, 0, 0, 500, 'epoch', 'epoch')`)};`);
    await Promise.all(judges.map(([decoy]) => this.swept(decoy)));
    // Also has a crash from now on leave nothing of it: nodes do not wait for the disk.
    this.postgres.sql('DROP TRIGGER leave_decoy ON troupe.nodes; DROP FUNCTION troupe.leave_decoy; DROP TABLE troupe.decoys');
  }

  /** Resolves when nothing is left of that start of a node, with the milliseconds since `since`. */
  async swept(incarnation, since = performance.now(), limit = 15000) {
    const question = `SELECT count(*) FROM troupe.nodes WHERE incarnation = ${incarnation}`;
    await until(`${incarnation} is swept`, async () => {
      await pause(50);
      return await this.postgres.ask(question) === '0';
    }, limit);
    return performance.now() - since;
  }
}

/** Stops a process as a machine does that hangs, and has it go on. */
export const freeze = (node) => node.program.signal('SIGSTOP');
export const thaw = (node) => node.program.signal('SIGCONT');

/** kill -9 of a node that may be frozen. */
export async function killNode(node) {
  node.program.signal('SIGKILL');
  await settles(`${node.name} is gone`, node.program.exit);
}

/** Fails if the messages of a chat have a gap, or stand twice. */
export function assertNoGaps(cluster) {
  assert.equal(cluster.count('SELECT count(*) FROM (SELECT c.id FROM troupe.conversations c JOIN troupe.messages m '
    + 'ON m.conversation = c.id AND m.place < c.messages GROUP BY c.id, c.messages '
    + 'HAVING count(*) <> c.messages OR min(m.place) <> 0 OR max(m.place) <> c.messages - 1) odd'), 0);
}

/** Has the database note epochs that fall, and rows that a node writes which was taken for dead. */
export function watchFences(cluster) {
  cluster.postgres.sql(`
    CREATE TABLE troupe.faults(what text, chat bigint, node bigint, epoch bigint);
    CREATE TABLE troupe.buried(node bigint PRIMARY KEY);
    CREATE FUNCTION troupe.note_burial() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.state = 2 AND OLD.state <> 2 THEN
        INSERT INTO troupe.buried VALUES (NEW.incarnation) ON CONFLICT DO NOTHING; END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER note_burial AFTER UPDATE ON troupe.nodes FOR EACH ROW EXECUTE FUNCTION troupe.note_burial();
    CREATE FUNCTION troupe.note_fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.epoch < OLD.epoch THEN
        INSERT INTO troupe.faults VALUES ('the epoch fell', NEW.id, NEW.node, NEW.epoch); END IF;
      IF NEW.epoch = OLD.epoch AND NEW.node <> OLD.node AND NEW.node <> 0 THEN
        INSERT INTO troupe.faults VALUES ('an epoch of two nodes', NEW.id, NEW.node, NEW.epoch); END IF;
      IF EXISTS (SELECT 1 FROM troupe.buried b WHERE b.node = NEW.node) AND OLD.node <> NEW.node THEN
        INSERT INTO troupe.faults VALUES ('a dead node claimed', NEW.id, NEW.node, NEW.epoch); END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER note_fault AFTER UPDATE ON troupe.conversations
      FOR EACH ROW EXECUTE FUNCTION troupe.note_fault();
    CREATE FUNCTION troupe.note_message() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE holder bigint; BEGIN
      SELECT c.node INTO holder FROM troupe.conversations c WHERE c.id = NEW.conversation;
      IF EXISTS (SELECT 1 FROM troupe.buried b WHERE b.node = holder) THEN
        INSERT INTO troupe.faults VALUES ('a dead node wrote', NEW.conversation, holder, 0); END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER note_message AFTER INSERT ON troupe.messages
      FOR EACH ROW EXECUTE FUNCTION troupe.note_message();`);
}

export function assertNoFaults(cluster) {
  assert.equal(cluster.postgres.sql("SELECT what, count(*) FROM troupe.faults GROUP BY what"), '');
}
