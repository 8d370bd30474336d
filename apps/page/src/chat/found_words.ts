// Where words of a search stand in a text.

/** Scripts that are written without spaces: any part of such a text is found. */
const spaceless = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}\\p{Script=Myanmar}';
const isSpaceless = new RegExp(`[${spaceless}]`, 'u');
const before = `(?:(?<=[${spaceless}])|(?<![\\p{L}\\p{N}]))`;
const after = `(?:(?=[${spaceless}])|(?![\\p{L}\\p{N}]))`;

/** Returns what finds the words as they were found: whole, whatever their case; nothing for no words. */
export function expressionOf(words: string[]): RegExp | undefined {
  const all = words.map((each) => each.trim()).filter((each) => each !== '');
  if (all.length === 0) return undefined;
  const longestFirst = [...new Set(all)].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(patternOf).join('|'), 'giu');
}

/** Returns the beginning and the end of each place. */
export function placesIn(text: string, expression: RegExp): [number, number][] {
  return [...text.matchAll(expression)].map((each) => [each.index, each.index + each[0].length]);
}

function patternOf(word: string): string {
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  return isSpaceless.test(word) ? literal : before + literal + after;
}
