// The arguments of a call while they are still being written.

/** Returns what a member that is a text has so far; '' before it begins. */
export function partialText(json: string, member: string): string {
  const begin = new RegExp(`"${member}"\\s*:\\s*"`).exec(json);
  if (begin === null) return '';
  const from = begin.index + begin[0].length;
  try {
    return JSON.parse(`"${json.slice(from, endOfText(json, from)).replace(/[\u0000-\u001f]/g, ' ')}"`);
  } catch {
    return '';
  }
}

/** Returns where a text ends that begins at `from`, or the last place where it may be cut. */
function endOfText(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') {
    const size = json[at] !== '\\' ? 1 : json[at + 1] === 'u' ? 6 : 2;
    if (at + size > json.length) break;
    at += size;
  }
  return at;
}
