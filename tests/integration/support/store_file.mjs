// The database itself, looked at from outside.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Returns the path of the database in a data folder. */
export const databaseIn = (data) => path.join(data, 'troupe.db');

/** Runs `work` with the database of a data folder. */
function withDatabase(data, options, work) {
  process.removeAllListeners('warning'); // node calls its SQLite experimental
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite');
  const database = new DatabaseSync(databaseIn(data), options);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Reads it; a running server may use it too. */
const reads = (data, work) => withDatabase(data, { readOnly: true, timeout: 5000 }, work);

/** Fails unless the database passes SQLite's own checks. */
export function assertIntact(data) {
  const found = reads(data, (database) => ({
    integrity: database.prepare('PRAGMA integrity_check').all(),
    foreign: database.prepare('PRAGMA foreign_key_check').all(),
  }));
  assert.deepEqual(
    found.integrity.map((row) => row.integrity_check),
    ['ok'],
  );
  assert.deepEqual(found.foreign, []);
}

/** Returns the version of the schema. */
export const schemaOf = (data) =>
  reads(data, (database) => database.prepare('PRAGMA user_version').get().user_version);

/** Runs SQL on a database that no server uses. */
export const change = (data, sql) => withDatabase(data, {}, (database) => database.exec(sql));
