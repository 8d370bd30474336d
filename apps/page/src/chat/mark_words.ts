// Marks words by the browser's own means, so that the elements stay as they are.
import { expressionOf, placesIn } from './found_words.ts';

const name = 'found'; // ::highlight(found)

/** Marks each place of the words, and brings the first one into view. Returns what takes the marks away. */
export function markWords(article: HTMLElement, words: string[]): () => void {
  const expression = expressionOf(words);
  const body = article.querySelector('.body');
  if (expression === undefined || body === null || !('highlights' in CSS)) return () => {};
  const mark = () => {
    const ranges = rangesIn(body, expression);
    CSS.highlights.set(name, new Highlight(...ranges));
    return ranges[0];
  };
  const changes = new MutationObserver(mark); // colours and formulas come later
  changes.observe(body, { subtree: true, childList: true, characterData: true });
  const first = mark();
  if (first) onceDrawn(() => showPlace(first));
  return () => {
    changes.disconnect();
    CSS.highlights.delete(name);
  };
}

function rangesIn(body: Element, expression: RegExp): Range[] {
  const out: Range[] = [];
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    for (const [from, to] of placesIn(node.nodeValue ?? '', expression)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      out.push(range);
    }
  return out;
}

/** A message that was out of view has its size only when it was drawn there. */
const onceDrawn = (act: () => void) => requestAnimationFrame(() => requestAnimationFrame(act));

/** A long message is begun where the words stand. */
function showPlace(place: Range): void {
  const within = place.startContainer.parentElement;
  const scroller = within?.closest('.log');
  if (!scroller) return;
  within!.closest('details')?.setAttribute('open', '');
  const view = scroller.getBoundingClientRect();
  const { top, bottom } = place.getBoundingClientRect();
  if (top >= view.top && bottom <= view.bottom) return;
  scroller.scrollTop += top - view.top - view.height / 3;
}
