// Which key sends. Enter also ends the choice of a word in Chinese, Japanese and Korean.

export interface SendKey {
  key: string;
  keyCode: number;
  isComposing: boolean;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Returns whether a key sends. Code 229: an input method has it, as Safari says after the end. */
export function sends(event: SendKey, sendWith: 'enter' | 'ctrl-enter'): boolean {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return sendWith === 'enter' && !event.shiftKey && !event.altKey;
}
