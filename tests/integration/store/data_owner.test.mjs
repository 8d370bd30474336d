// Root and a data folder of another user, as in a container with a folder of its host: the program
// becomes that user.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { settles, within } from '../support/patience.mjs';
import { childrenOf } from '../support/processes.mjs';
import { Program, binary, run } from '../support/program.mjs';
import { connected, demoServer, endCleanly, startTroupe } from '../support/servers.mjs';
import { Turn } from '../support/turns.mjs';

const timeout = within(60000);
const owner = 23456; // nobody the system knows
const others = 34567;

// The leak checker cannot look into a process that has changed its user.
const skip = process.getuid() !== 0 ? 'only root can become somebody else'
  : process.env.TROUPE_SANITIZED ? 'a sanitizer cannot watch it' : false;

/** Returns a folder of the user, which that user can reach; it is gone after the test. */
function folderOf(t, user, mode = 0o700) {
  const made = mkdtempSync('/tmp/troupe-of-');
  t.after(() => rmSync(made, { recursive: true, force: true }));
  chmodSync(made, mode);
  chownSync(made, user, user);
  return made;
}

/** Returns {uid, gid, groups} of a process. */
function userOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const row = (name) => status.match(new RegExp(`^${name}:\\s*(.*)$`, 'm'))[1].trim().split(/\s+/).map(Number);
  return { uids: new Set(row('Uid')), gids: new Set(row('Gid')), groups: row('Groups') };
}

const assertRunsAs = (pid, user) => {
  const { uids, gids, groups } = userOf(pid);
  assert.deepEqual([[...uids], [...gids], groups], [[user], [user], [user]]);
};

const assertAllOf = (data, user) => {
  for (const name of readdirSync(data)) assert.equal(statSync(path.join(data, name)).uid, user, name);
};

async function fails(...args) {
  const program = new Program(binary('troupe'), args);
  const { code } = await settles('it gives up', program.exit, 20000);
  assert.equal(code, 1, String(program));
  return program.stderr;
}

for (const [what, mode] of [['a private folder', 0o700], ['a folder that others may list', 0o755]])
  test(`root serves ${what} as its owner, for good`, { timeout, skip }, async (t) => {
    const data = folderOf(t, owner, mode);
    const server = await startTroupe(t, { data, mcpServers: { demo: demoServer() } });
    await connected(server, 'demo');
    assertRunsAs(server.program.pid, owner);
    const children = childrenOf(server.program.pid);
    assert.ok(children.length > 0);
    children.forEach(({ pid }) => assertRunsAs(pid, owner));
    await server.program.prints(/"event":"user","user":23456,"message":"started as root; runs as user 23456/, { on: 'stderr' });
    const turn = new Turn(server.url, { message: 'hi' }, { session: 'c' });
    await turn.ended;
    assert.equal(turn.types().at(-1), 'SESSION_END');

    // Root's other commands beside it, too: a container's shell is root's.
    const made = await run(binary('troupe'), ['keys', 'create', '--owner', 'alice', '--data', data]);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^tk_\S+\n$/);
    server.judged = true;
    await endCleanly(server.program);
    const list = await run(binary('troupe'), ['conversations', 'list', '--data', data, '--json']);
    assert.deepEqual([list.code, list.stderr], [0, '']);
    assert.equal(JSON.parse(list.stdout).conversations[0].id, 'c');
    assertAllOf(data, owner);
    const again = await startTroupe(t, { data });
    assertRunsAs(again.program.pid, owner);
  });

test('root stays root in a folder of its own, and in a new one', { timeout, skip }, async (t) => {
  for (const data of [folderOf(t, 0), path.join(folderOf(t, 0), 'new')]) {
    const server = await startTroupe(t, { data });
    assert.deepEqual([...userOf(server.program.pid).uids], [0]);
    assert.doesNotMatch(server.program.stderr, /"event":"user"/);
    assertAllOf(data, 0);
  }
});

test('a folder that more than its owner can write is refused to root, too', { timeout, skip }, async (t) => {
  for (const [mode, says] of [[0o777, /belongs to user 23456.*chown/], [0o770, /belongs to user 23456/], [0o1777, /shared with others/]]) {
    const data = folderOf(t, owner, mode);
    assert.match(await fails('serve', '--listen', '127.0.0.1:0', '--data', data), says);
    assert.deepEqual(readdirSync(data), []);
  }
});

test('files of others in the folder are refused, and stay as they are', { timeout, skip }, async (t) => {
  for (const user of [0, others])
    for (const name of ['troupe.db', 'troupe.lock']) {
      const data = folderOf(t, owner);
      const file = path.join(data, name);
      writeFileSync(file, '');
      chownSync(file, user, user);
      const said = await fails('serve', '--listen', '127.0.0.1:0', '--data', data);
      assert.match(said, name === 'troupe.db' ? /troupe\.db/ : /troupe\.lock/);
      assert.equal(readFileSync(file, 'utf8'), '');
      assert.equal(statSync(file).uid, user);
    }
});

test("a configuration that root changes stays its user's", { timeout, skip }, async (t) => {
  const file = path.join(folderOf(t, owner), 'troupe.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o640);
  chownSync(file, owner, others);
  const { code, stderr } = await run(binary('troupe'), ['mcp', 'add', '--config', file, 'demo', 'true']);
  assert.equal(code, 0, stderr);
  const { uid, gid, mode } = statSync(file);
  assert.deepEqual([uid, gid, mode & 0o7777], [owner, others, 0o640]);
});

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((name) => existsSync(name));

test('root that may not become the owner says what to do', { timeout, skip: skip || !setpriv }, async (t) => {
  const data = folderOf(t, owner);
  const { status, stderr } = spawnSync(setpriv, [
    '--bounding-set', '-setuid,-setgid', '--inh-caps', '-setuid,-setgid',
    binary('troupe'), 'serve', '--listen', '127.0.0.1:0', '--data', data,
  ], { encoding: 'utf8', timeout: 20000 });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /belongs to user 23456, and this process of root may not become that user.*chown 0/);
  assert.deepEqual(readdirSync(data), []);
});
