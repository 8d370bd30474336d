// Keys in the list of messages: arrows move by message, c copies, e edits.

/** Handles a key of the log; other keys keep their meaning. */
export function onLogKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (target.closest('textarea, input, select, [role=menu]') || event.ctrlKey || event.metaKey || event.altKey) return;
  const log = event.currentTarget as HTMLElement;
  const all = [...log.querySelectorAll<HTMLElement>('article')];
  const at = all.findIndex((each) => each.contains(target));
  const press = (action: string) => all[at]?.querySelector<HTMLElement>(`[data-action="${action}"] button, button[data-action="${action}"]`)?.click();
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const to = at < 0 ? all.length - 1 : at + (event.key === 'ArrowDown' ? 1 : -1);
    if (all[to] === undefined) return;
    all[to].focus();
    all[to].scrollIntoView({ block: 'nearest' });
  } else if (event.key === 'c' && getSelection()?.isCollapsed !== false) press('copy');
  else if (event.key === 'e') press('edit');
  else return;
  event.preventDefault();
}
