// Where the chats of a test are kept: in a folder, or with TROUPE_STORE=postgres in a database of a
// PostgreSQL that the tests of a file have in common.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Postgres } from './postgres.mjs';
import { configFile, folder } from './folders.mjs';
import { assertIntact } from './store_file.mjs';

const shared = process.env.TROUPE_STORE === 'postgres' ? await Postgres.shared() : undefined;

/** Rows that contradict each other, while no turn runs. */
const contradictions = `
  SELECT 'messages of ' || id FROM troupe.conversations c WHERE owner <> 0 AND messages <>
    (SELECT count(*) FROM troupe.messages m WHERE m.conversation = c.id)
  UNION ALL SELECT 'bytes of ' || id FROM troupe.conversations c WHERE bytes <
    (SELECT coalesce(sum(octet_length(text) + octet_length(body) + octet_length(message_id) + 256), 0)
     FROM troupe.messages m WHERE m.conversation = c.id)
  UNION ALL SELECT 'a claim of ' || id FROM troupe.conversations c WHERE (node <> 0) <>
    EXISTS (SELECT 1 FROM troupe.turns t WHERE t.conversation = c.id AND t.state = 0)
  UNION ALL SELECT 'a message of ' || conversation FROM troupe.messages m
    WHERE NOT EXISTS (SELECT 1 FROM troupe.conversations c WHERE c.id = m.conversation)
  UNION ALL SELECT 'a turn of ' || conversation FROM troupe.turns t
    WHERE NOT EXISTS (SELECT 1 FROM troupe.conversations c WHERE c.id = t.conversation)
  UNION ALL SELECT 'events of ' || conversation FROM troupe.events e
    WHERE NOT EXISTS (SELECT 1 FROM troupe.conversations c WHERE c.id = e.conversation)
  UNION ALL SELECT 'a piece of ' || encode(file, 'escape') FROM troupe.file_pieces p
    WHERE NOT EXISTS (SELECT 1 FROM troupe.files f WHERE f.id = p.file)
    AND NOT EXISTS (SELECT 1 FROM troupe.file_uploads u WHERE u.file = p.file)
  UNION ALL SELECT 'words of ' || conversation FROM troupe.search_rows s WHERE NOT EXISTS
    (SELECT 1 FROM troupe.messages m WHERE m.conversation = s.conversation AND m.place = s.place)`;

/** Returns what a configuration says of a database of the test's own; nothing if tests use folders. */
export const databaseOf = (t) => (shared ? new KeptIn(t).config : {});

/** A place of its own for a test. */
export class KeptIn {
  /** @param data a folder, where it has to be one */
  constructor(t, data) {
    this.t = t;
    this.database = shared && data === undefined ? shared.database() : undefined;
    this.data = this.database ? undefined : (data ?? folder(t));
  }

  /** What a configuration says of it. */
  get config() {
    return this.database ? { store: shared.urlOf(this.database) } : { data: this.data };
  }

  /** The options with which commands find it. */
  get options() {
    return this.database ? ['--config', configFile(this.t, this.config)] : ['--data', this.data];
  }

  /** How many uploaded files there are; one that is on its way is a half. */
  files() {
    if (!this.database) return readdirSync(path.join(this.data, 'files')).length / 2;
    return Number(shared.sql(`SELECT (SELECT count(*) FROM troupe.files) +
      (SELECT count(*) FROM troupe.file_uploads) * 0.5`, this.database));
  }

  /** Fails unless what is kept is whole; no turn runs meanwhile. */
  assertIntact() {
    if (this.database) assert.equal(shared.sql(contradictions, this.database), '');
    else assertIntact(this.data);
  }
}
