// The arguments of a call while they are still being written.

/** Returns what a member that is a text has so far; '' before it begins. */
export function partialText(json: string, member: string): string {
  const begin = new RegExp(`"${member}"\\s*:\\s*"`).exec(json);
  if (begin === null) return '';
  const rest = json.slice(begin.index + begin[0].length);
  const text = /^(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/.exec(rest)![0];
  try {
    return JSON.parse(`"${text.replace(/[\u0000-\u001f]/g, ' ')}"`);
  } catch {
    return '';
  }
}
