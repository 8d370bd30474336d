// Where what comes next is typed.

/** Puts the cursor into the box, where there is a keyboard: on a phone that would bring one up. */
export function focusBox(): void {
  if (!matchMedia('(pointer: fine)').matches) return;
  document.querySelector<HTMLElement>('.composer textarea')?.focus({ preventScroll: true });
}
