// API keys of a data folder, as an operator makes and revokes them.
import assert from 'node:assert/strict';
import { settles } from '../../integration/support/patience.mjs';
import { Program, binary } from '../../integration/support/program.mjs';

async function keys(data, ...args) {
  const program = new Program(binary('troupe'), ['keys', ...args, '--data', data]);
  assert.equal((await settles('troupe keys', program.exit, 20000)).code, 0, String(program));
  return program.stdout;
}

/** Resolves with {id, key, ...}; `options` are those of `troupe keys create`. */
export const createKey = async (data, owner, ...options) =>
  JSON.parse(await keys(data, 'create', '--owner', owner, '--json', ...options));

export const revokeKey = (data, id) => keys(data, 'revoke', id);
