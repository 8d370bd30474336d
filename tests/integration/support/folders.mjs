// Folders and configuration files of a test, which are gone after it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Returns a folder that is gone after the test. */
export function folder(t) {
  const made = mkdtempSync(path.join(tmpdir(), 'troupe-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Writes a configuration and returns its path. */
export function configFile(t, config) {
  const file = path.join(folder(t), 'troupe.json');
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config, null, 2));
  return file;
}
