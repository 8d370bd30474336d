// Keys of the search box and of the list below it.

/** Arrows go from the box to the list and through it. */
export function onListKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.isComposing || !target.matches('.search, .chat-list li > a')) return;
  const all = [...document.querySelectorAll<HTMLElement>('.search, .chat-list li > a')];
  all[all.indexOf(target) + step]?.focus();
  event.preventDefault();
}

/** Opens the first thing in the list. */
export const openFirst = (): void => document.querySelector<HTMLElement>('.chat-list li > a')?.click();
