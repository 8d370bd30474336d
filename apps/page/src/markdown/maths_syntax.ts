// Where a text has formulas: $...$, $$...$$, \(...\) and \[...\], but no prices and no code.
import type { TokenizerAndRendererExtension, Tokens } from 'marked';

export interface MathsToken extends Tokens.Generic {
  type: 'maths';
  tex: string;
  block: boolean;
}

const inline = [
  /^\$\$([^$]+?)\$\$(?![\p{sc=Latin}\d_{])/u, // in the middle of a line
  /^\\\(([^]+?)\\\)/,
  /^\\\[([^]+?)\\\]/,
  /^\$(?![\s$])((?:\\.|[^$\\\n])+?)(?<![\s\\])\$(?![\p{sc=Latin}\d_{$])/u, // a name behind it: of a variable
];
const block = [/^ {0,3}\$\$([^]+?)\$\$[ \t]*(?:\n|$)/, /^ {0,3}\\\[([^]+?)\\\][ \t]*(?:\n|$)/];

/** For marked's `extensions`. */
export const mathsExtensions: TokenizerAndRendererExtension[] = [
  {
    name: 'maths',
    level: 'block',
    start: (source) => /^ {0,3}(?:\$\$|\\\[)/m.exec(source)?.index,
    tokenizer: (source) => tokenOf(source, block, true),
  },
  {
    name: 'maths',
    level: 'inline',
    start: (source) => /\$|\\[([]/.exec(source)?.index,
    tokenizer: (source) => tokenOf(source, inline, false),
  },
];

function tokenOf(source: string, forms: RegExp[], isBlock: boolean): MathsToken | undefined {
  for (const form of forms) {
    const found = form.exec(source);
    if (found === null || /\n[ \t]*\n/.test(found[1]!) || meetsCode(found[0], source)) continue;
    const shown = isBlock || found[0].startsWith('$$') || found[0].startsWith('\\[');
    return { type: 'maths', raw: found[0], tex: found[1]!.trim(), block: shown };
  }
  return undefined;
}

/**
 * Returns whether a span of code, which binds more tightly, begins in a formula.
 * @param source begins with the formula
 */
function meetsCode(formula: string, source: string): boolean {
  const ticks = [...formula.matchAll(/\\[^]|`+/g)].filter(([found]) => found.startsWith('`'));
  const [paragraph] = ticks.length > 0 ? source.split(/\n[ \t]*\n/, 1) : [''];
  return ticks.some(({ 0: ends, index }) =>
    new RegExp(`(?<!\`)${ends}(?!\`)`).test(paragraph!.slice(index + ends.length)),
  );
}
