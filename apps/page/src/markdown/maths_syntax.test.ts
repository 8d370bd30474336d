import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Token } from 'marked';
import { lex } from './blocks.ts';

/** All formulas of a text, and what of it is code. */
function found(text: string): string[] {
  const out: string[] = [];
  const visit = (tokens: Token[]) => {
    for (const each of tokens) {
      if (each.type === 'maths') out.push(`${each.block ? 'block' : 'inline'} ${each.tex}`);
      if (each.type === 'code' || each.type === 'codespan') out.push(`code ${each.text}`);
      if (each.type === 'table') {
        visit(each.header.flatMap((cell: { tokens: Token[] }) => cell.tokens));
        each.rows.forEach((row: { tokens: Token[] }[]) => visit(row.flatMap((cell) => cell.tokens)));
      } else if (each.type === 'list') visit(each.items);
      else if ('tokens' in each && each.tokens) visit(each.tokens);
    }
  };
  visit(lex(text));
  return out;
}

const cases: [string, string[]][] = [
  ['a $x^2$ b', ['inline x^2']],
  ['$x$', ['inline x']],
  ['$x$, $y$ and $z$.', ['inline x', 'inline y', 'inline z']],
  ['It costs $5 and $10.', []],
  ['It costs $5-$10.', []],
  ['$5', []],
  ['between $ 5 and 6 $ dollars', []],
  ['US$100 to US$200', []],
  ['a $x $ b', []],
  ['a $ x$ b', []],
  ['\\$x\\$', []],
  ['$a\\$b$', ['inline a\\$b']],
  ['\\(a+b\\)', ['inline a+b']],
  ['see \\(a\\) and \\(b\\)', ['inline a', 'inline b']],
  ['\\[a+b\\]', ['block a+b']],
  ['\\[\na\n+b\n\\]', ['block a\n+b']],
  ['$$a+b$$', ['block a+b']],
  ['$$\na+b\n$$', ['block a+b']],
  ['text $$a$$ text', ['block a']],
  ['text\n$$\na\n$$\ntext', ['block a']],
  ['text\n\\[\na\n\\]\ntext', ['block a']],
  ['`$x$`', ['code $x$']],
  ['`\\(x\\)`', ['code \\(x\\)']],
  ['``a ` $x$``', ['code a ` $x$']],
  ['```\n$x$\n```', ['code $x$']],
  ['```\n$$\nx\n$$\n```', ['code $$\nx\n$$']],
  ['    $x$', ['code $x$']],
  ['~~~\n\\[x\\]\n~~~', ['code \\[x\\]']],
  ['```\nhalf $x$', ['code half $x$']],
  ['- item $x$', ['inline x']],
  ['1. item\n\n   $$x$$', ['block x']],
  ['> $x$', ['inline x']],
  ['# head $x$', ['inline x']],
  ['**bold $x$**', ['inline x']],
  ['| a | b |\n|---|---|\n| $x$ | \\(y\\) |', ['inline x', 'inline y']],
  ['[link $x$](https://example.org)', ['inline x']],
  ['$x', []],
  ['\\(x', []],
  ['\\[x', []],
  ['$$x', []],
  ['$$\n\nx\n\n$$', []],
  ['$x$1', []],
  ['$\\frac{a}{b}$', ['inline \\frac{a}{b}']],
  ['$a_1$ and $a_2$', ['inline a_1', 'inline a_2']],
  ['$a*b*c$', ['inline a*b*c']],
  ['\\(a_b_c\\)', ['inline a_b_c']],
  ['$\\text{price } 5$', ['inline \\text{price } 5']],
  ['echo $HOME and $PATH', []],
  ['`code` $x$ `code`', ['code code', 'inline x', 'code code']],
  ['中文$x$中文', ['inline x']],
  ['价格是$5，或$6。', []],
  ['a $$ b', []],
  ['It costs $5/month. Write `$x$` or `$HOME`.', ['code $x$', 'code $HOME']],
  ['about $3/day, or `$y`; then $z$', ['code $y', 'inline z']],
  ['$8 and ``a ` $b$``', ['code a ` $b$']],
  ['text $$4 `$$` b', ['code $$']],
  ['$$1 `x\n$$` y', ['code x $$']],
  ['\\(a `\\)` b', ['code \\)']],
  ['\\[a `\\]\nb` c', ['code \\] b']],
  ['$`x$', ['inline `x']],
  ['$\\text{``a\'\'}$', ["inline \\text{``a''}"]],
  ['$\\`a$ and `b`', ['inline \\`a', 'code b']],
  ['$a$\n\n`b`', ['inline a', 'code b']],
  ['$$\na ` b\n$$\n\nc ` d', ['block a ` b']],
  ['Let $x^2$ be `$y$`.', ['inline x^2', 'code $y$']],
  ['Set PATH=$PATH:$HOME/bin first', []],
  ['$A/$B and $C_1:$_x', []],
  ['${A}-${B}/c', []],
  ['make $$A:$$B', []],
  ['当$x^2$时，$y$、$z$。', ['inline x^2', 'inline y', 'inline z']],
  ['$x$-axis, ($y$), "$z$"', ['inline x', 'inline y', 'inline z']],
];

test('formulas are found, and prices, variables and code are left alone', () => {
  for (const [text, expected] of cases) assert.deepEqual(found(text), expected, text);
});
