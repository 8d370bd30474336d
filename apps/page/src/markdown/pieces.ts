// A long text in pieces. While it grows only its last node changes, and a browser lays out from there
// on, and not all of it for each word.

const size = 1000; // characters
const look = 200; // characters in which a good place for a cut is looked for

/** Returns the pieces of a text; those of a longer one begin with the same, but for the last. */
export function pieces(text: string): string | string[] {
  if (text.length <= size + look) return text;
  const all: string[] = [];
  let from = 0;
  while (text.length - from > size + look) {
    const to = cut(text, from + size);
    all.push(text.slice(from, to));
    from = to;
  }
  all.push(text.slice(from));
  return all;
}

/** Behind a space or the end of a line, or else between two characters. */
function cut(text: string, from: number): number {
  const space = text.slice(from, from + look).search(/[ \n]/);
  if (space >= 0) return from + space + 1;
  const apart = text.slice(from, from + look).search(/[\u4e00-\u9fff\u3040-\u30ff]/);
  return apart >= 0 ? from + apart : from + look - (isHigh(text.charCodeAt(from + look - 1)) ? 1 : 0);
}

const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
