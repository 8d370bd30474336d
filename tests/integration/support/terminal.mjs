// A program at a terminal of its own, and a person who types.
import { Program } from './program.mjs';

const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** Starts a program at a terminal; what it shows there, and what is typed, is its `stdout`. */
export function atTerminal(t, file, args, options = {}) {
  const command = `exec ${[file, ...args].map(quoted).join(' ')}`;
  const program = new Program('/usr/bin/script', ['-qec', command, '/dev/null'], { ...options, input: 'pipe' });
  t.after(() => program.signal('SIGKILL'));
  let seen = 0;
  return Object.assign(program, {
    /** Waits for `shown` (a RegExp) behind what was waited for before, then types a line. */
    async type(shown, line) {
      await program.shows(shown);
      program.child.stdin.write(`${line}\n`);
    },
    /** Waits for `shown` behind what was waited for before; resolves with the match. */
    async shows(shown) {
      const from = seen;
      const { length } = await program.prints(new RegExp(`^[^]{${from}}[^]*?(?:${shown.source})`)).then(([all]) => all);
      seen = length;
      return program.stdout.slice(from, length);
    },
  });
}
