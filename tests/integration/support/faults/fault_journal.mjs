// What a fault server saw and did, one JSON line each, in a file that outlives it.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The journal of the server `name` in `folder`; without a folder nothing is kept. */
export class Journal {
  constructor(folder, name) {
    this.file = folder && path.join(folder, `${encodeURIComponent(name)}.jsonl`);
  }

  /** Adds an entry {at, what, ...more}; `at` is in milliseconds since 1970. */
  note(what, more = {}) {
    const entry = { at: Date.now(), what, ...more };
    if (this.file) appendFileSync(this.file, `${JSON.stringify(entry)}\n`);
  }

  /** Returns the entries, only those called `what` if that is given. */
  entries(what) {
    if (!this.file || !existsSync(this.file)) return [];
    return readFileSync(this.file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter((entry) => what === undefined || entry.what === what);
  }

  count(what) {
    return this.entries(what).length;
  }
}
