// A program on the screen of a terminal (tmux), and a person at it who types, pastes and reads.
import { execFileSync } from 'node:child_process';
import { until, within } from './patience.mjs';
import { folder } from './servers.mjs';

let started = 0;
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** Starts a program on a screen of its own, `columns` by `lines`. Its exit code stands below what it showed. */
export function onScreen(t, file, args, { env = {}, columns = 80, lines = 30 } = {}) {
  const socket = `troupe-${process.pid}-${++started}`;
  const all = { ...process.env, TMUX_TMPDIR: folder(t), TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', ...env };
  const tmux = (words, input = '') =>
    execFileSync('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...words], { env: all, input, encoding: 'utf8', timeout: within(20000) });
  // The shell lives on after Ctrl-C; an ignored signal would be ignored by the program, too.
  const command = `trap : INT; ${[file, ...args].map(quoted).join(' ')}; echo "[exit $?]"; exec cat >/dev/null`;
  tmux(['new-session', '-d', '-x', String(columns), '-y', String(lines), 'sh', '-c', command]);
  const server = Number(tmux(['display-message', '-p', '#{pid}']));
  t.after(() => process.kill(server));
  const text = () => tmux(['capture-pane', '-p', '-J']).replaceAll(/ +$/gm, '').trimEnd();

  return {
    /** Returns what the screen shows. */
    text,
    /** The same with the sequences for colours. */
    painted: () => tmux(['capture-pane', '-p', '-e']),
    /** Waits until the screen shows `pattern` (a RegExp); resolves with the match. */
    async shows(pattern) {
      let last = '';
      try {
        return await until(`the screen shows ${pattern}`, () => (last = text()).match(pattern), 20000);
      } catch (error) {
        throw new Error(`${error.message}\n--- screen ---\n${last}\n--------------`);
      }
    },
    /** Types text, key by key. */
    types: (typed) => tmux(['send-keys', '-l', typed]),
    /** Presses keys by tmux's names: Enter, Up, C-c, M-Enter, Home. */
    presses: (...keys) => tmux(['send-keys', ...keys]),
    /** Pastes text as a terminal does: in brackets, where the program has asked for them. */
    pastes(pasted) {
      tmux(['load-buffer', '-'], pasted);
      tmux(['paste-buffer', '-p', '-d']);
    },
    resizes: (to) => tmux(['resize-window', '-x', String(to.columns), '-y', String(to.lines)]),
  };
}
