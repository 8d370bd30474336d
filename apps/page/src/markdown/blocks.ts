// A growing answer in blocks: what is closed is never read again.
import { Marked, type Token, type TokensList } from 'marked';
import { mathsExtensions } from './maths_syntax.ts';
import { unspaced } from './unspaced.ts';

const marked = new Marked({ gfm: true, breaks: false }, { extensions: mathsExtensions }, unspaced);

/** One block of a text; the same object for as long as its source is the same. */
export interface Block {
  source: string;
  token: Token;
}

/** Returns the blocks of a whole text. */
export const lex = (text: string): TokensList => marked.lexer(text);

/** Reads a text again and again while it grows. All blocks but the last two are closed. */
export class GrowingBlocks {
  private closed: Block[] = [];
  private closedText = '';
  private open: Block[] = [];
  private whole = false;

  /** @param done the text is complete: it is read once as a whole, for links defined at its end */
  update(text: string, done: boolean): Block[] {
    if (done && this.whole && this.closedText === text) return this.closed;
    if (!text.startsWith(this.closedText) || (done && !this.whole && hasDefinitions(text))) this.forget();
    this.whole = done;
    const rest = text.slice(this.closedText.length);
    const fresh = toBlocks(lex(rest), this.open);
    const keep = done ? fresh.length : Math.max(0, fresh.length - 2);
    const closing = fresh.slice(0, keep);
    if (keep > 0) this.closed = [...this.closed, ...closing];
    this.closedText = done ? text : this.closedText + closing.map((each) => each.source).join('');
    this.open = fresh.slice(keep);
    return done ? this.closed : [...this.closed, ...this.open];
  }

  private forget(): void {
    this.closed = [];
    this.closedText = '';
    this.open = [];
  }
}

const hasDefinitions = (text: string) => /^ {0,3}\[[^\]]+\]:/m.test(text);

/** Takes the old object for a block whose source has not changed. */
function toBlocks(tokens: Token[], old: Block[]): Block[] {
  return tokens.map((token, at) => {
    const before = old[at];
    return before?.source === token.raw ? before : { source: token.raw, token };
  });
}
