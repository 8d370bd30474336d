// Labels of diagrams: HTML of a model becomes lines of plain text.

const named = new Map([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"], ['nbsp', ' ']]);

/** Returns a label's words: tags go, what breaks a line in HTML does so here. */
export function labelText(html: string): string {
  return html
    .replace(/<(script|style)\b[^]*?<\/\1\s*>/gi, '')
    .replace(/<br\s*\/?>|<\/(p|div|li|h[1-6]|tr)\s*>/gi, '\n')
    .replace(/<\/?[a-z!][^>]*>/gi, '')
    .replace(/&(#x?[0-9a-f]+|\w+);/gi, (all, what: string) => character(what) ?? all)
    .replace(/[ \t]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Breaks lines where they are wider than `width` pixels; maxGraph breaks HTML only. */
export function wrapped(text: string, width: number, fontSize: number): string {
  const most = Math.max(4, width / fontSize);
  return text.split('\n').flatMap((line) => wrapLine(line, most)).join('\n');
}

/** About how wide a text is, in its font's size. */
export function widthOf(text: string): number {
  let sum = 0;
  for (const c of text) sum += c.codePointAt(0)! > 0x2e7f ? 1 : c === ' ' ? 0.28 : 0.56;
  return sum;
}

function wrapLine(line: string, most: number): string[] {
  const lines: string[] = [];
  let now = '';
  for (const word of line.split(/(?<= )|(?<=[\u2e80-\uffef])/)) {
    if (now !== '' && widthOf(now + word.trimEnd()) > most) {
      lines.push(now.trimEnd());
      now = '';
    }
    now += word;
  }
  return [...lines, now.trimEnd()];
}

function character(what: string): string | undefined {
  if (!what.startsWith('#')) return named.get(what.toLowerCase());
  const code = what[1] === 'x' || what[1] === 'X' ? parseInt(what.slice(2), 16) : Number(what.slice(1));
  return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : undefined;
}
