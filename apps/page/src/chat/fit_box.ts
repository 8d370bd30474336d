// The height of a box of text, where the browser does not make it that of its text by itself.
const isFitted = CSS.supports('field-sizing', 'content');

/** Makes a box as high as its text; the style sheet says how high at most. */
export function fitBox(box: HTMLTextAreaElement | null): void {
  if (isFitted || box === null) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}
