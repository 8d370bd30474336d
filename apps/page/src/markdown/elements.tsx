// Tokens of marked as elements. Text is text here, whatever it looks like.
import type { ComponentChildren } from 'preact';
import type { Token, Tokens } from 'marked';
import { Code } from './code.tsx';
import { isOwnImage } from './links.ts';
import { Maths } from './maths.tsx';
import type { MathsToken } from './maths_syntax.ts';
import { OutsideLink } from './outside_link.tsx';
import { pieces } from './pieces.ts';

interface BlockProps {
  token: Token;
  closed: boolean; // the block is complete
  nested?: boolean; // in another one, whose direction it has
}

/** A block has the direction of its first letter: an inner `auto` would hide its text from the outer one. */
export function BlockView({ token, closed, nested = false }: BlockProps): ComponentChildren {
  const dir = nested ? undefined : 'auto';
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'code':
      return <Code text={token.text} language={token.lang ?? ''} closed={closed} />;
    case 'heading':
      return <Heading token={token as Tokens.Heading} dir={dir} />;
    case 'blockquote':
      return <blockquote dir={dir}>{blocks(token.tokens, closed)}</blockquote>;
    case 'list':
      return <List token={token as Tokens.List} closed={closed} dir={dir} />;
    case 'table':
      return <Table token={token as Tokens.Table} dir={dir} />;
    case 'html':
      return <p class="raw" dir={dir}>{token.raw.trimEnd()}</p>;
    case 'maths':
      return <Maths tex={(token as MathsToken).tex} source={token.raw} block closed={closed} />;
    case 'paragraph':
      return <p dir={dir}>{inlines(token.tokens)}</p>;
    default:
      return 'tokens' in token && token.tokens ? <>{inlines(token.tokens)}</> : <>{inline(token)}</>;
  }
}

type Direction = 'auto' | undefined;

const blocks = (tokens: Token[] | undefined, closed: boolean) =>
  tokens?.map((each, at) => <BlockView key={at} token={each} closed={closed} nested />);
const inlines = (tokens: Token[] | undefined): ComponentChildren => tokens?.map(inline);

function inline(token: Token): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens)}</em>;
    case 'del':
      return <del>{inlines(token.tokens)}</del>;
    case 'codespan':
      return <code dir="ltr">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <OutsideLink to={token.href}>{inlines(token.tokens)}</OutsideLink>;
    case 'image':
      return isOwnImage(token.href) ? (
        <img src={token.href} alt={token.text} />
      ) : (
        <OutsideLink to={token.href}>{token.text || token.href}</OutsideLink>
      );
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw;
    case 'maths':
      return <Maths tex={token.tex} source={token.raw} block={token.block} closed />;
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} disabled aria-label={token.raw.trim()} />;
    case 'text':
      return token.tokens ? inlines(token.tokens) : pieces(plain(token.text));
    case 'escape':
      return plain(token.text);
    default:
      return token.raw;
  }
}

/** Models write the commonest entities; all else is shown as it came. */
const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name]!);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', '#39': "'" };

function Heading({ token, dir }: { token: Tokens.Heading; dir: Direction }) {
  const Tag = `h${Math.min(6, token.depth + 2)}` as 'h3'; // h1 and h2 are the page's own
  return <Tag class={`h${token.depth}`} dir={dir}>{inlines(token.tokens)}</Tag>;
}

function List({ token, closed, dir }: { token: Tokens.List; closed: boolean; dir: Direction }) {
  const items = token.items.map((each, at) => (
    <li key={at} class={each.task ? 'task' : undefined}>
      {each.task && !each.tokens.some((one) => one.type === 'checkbox') && (
        <input type="checkbox" checked={each.checked} disabled aria-label={each.text.slice(0, 40)} />
      )}
      {each.tokens.map((one, i) =>
        one.type === 'checkbox' ? inline(one) : <BlockView key={i} token={one} closed={closed} nested />,
      )}
    </li>
  ));
  if (!token.ordered) return <ul dir={dir}>{items}</ul>;
  return <ol dir={dir} start={typeof token.start === 'number' ? token.start : 1}>{items}</ol>;
}

function Table({ token, dir }: { token: Tokens.Table; dir: Direction }) {
  const cell = (Tag: 'th' | 'td') => (each: Tokens.TableCell, at: number) => (
    <Tag key={at} class={each.align ? `align-${each.align}` : undefined}>
      {inlines(each.tokens)}
    </Tag>
  );
  return (
    <div class="table" tabIndex={0} role="group" aria-label={token.header.map((each) => each.text).join(', ')}>
      <table dir={dir}>
        <thead>
          <tr>{token.header.map(cell('th'))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>{row.map(cell('td'))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
