// Markdown for scripts that are written without spaces: CommonMark finds its marks and the ends of addresses by them.
import { Tokenizer, type MarkedExtension } from 'marked';

/** Chinese, Japanese and Korean: letters, punctuation, forms of full width, and marks that choose a glyph. */
const cjk =
  /[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uffef\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3ffff}\u{e0100}-\u{e01ef}]/u;

/** What no bare address has in it, though it could: CJK punctuation, and quotation marks, dots and dashes of type. */
const addressEnd =
  /[“”‘’…—]|(?=[\p{P}\p{S}])[\u3000-\u303f\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff65\uffe0-\uffef]/u;

/** Marks with the characters beside them; a single one between two marks joins these. */
const marks = /[^\s*~](?:[*~]+[^\s*~])+/gu;
const letter = /[^\p{P}\p{S}]/gu;
const stand = '+'; // any punctuation that is no mark
const { emStrong, del, url } = Tokenizer.prototype;

/** For marked's `use`: stars and tildes in CJK text, one tilde as text, and where a bare address ends. */
export const unspaced: MarkedExtension = {
  hooks: {
    /** A letter counts as punctuation beside a mark that has CJK on one side: then it may begin and end there. */
    emStrongMask: (masked) =>
      masked.replace(marks, (found) =>
        cjk.test(found) ? found.replace(letter, (each) => stand.repeat(each.length)) : found,
      ),
  },
  tokenizer: {
    emStrong(source, masked, before = '') {
      return source[0] === '*' && emStrong.call(this, source, masked, charBefore(source, masked, before));
    },
    /** One tilde is a tilde: people write ranges and estimates with it. */
    del(source, masked, before = '') {
      if (!source.startsWith('~~')) return undefined;
      return del.call(this, source, masked, charBefore(source, masked, before));
    },
    url(source) {
      if (!/^(?:https?|ftp):\/\/|^www\./i.test(source)) return false;
      const end = source.search(addressEnd);
      return url.call(this, end < 0 ? source : source.slice(0, end));
    },
  },
};

/** The character before a mark, as the mask has it. */
function charBefore(source: string, masked: string, before: string): string {
  return before !== '' && masked[masked.length - source.length - 1] === stand ? stand : before;
}
