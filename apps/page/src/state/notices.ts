// Short notes about what was done or did not work, one at a time.
import { createStore } from './store.ts';

export interface Notice {
  text: string;
  bad: boolean;
  action?: { label: string; run: () => void };
}

export const notice = createStore<Notice | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a note for some seconds, with an action for longer. */
export function tell(text: string, options: Partial<Notice> = {}): void {
  clearTimeout(timer);
  notice.set({ text, bad: false, ...options });
  timer = setTimeout(() => notice.set(null), options.action ? 20000 : 7000);
}

/** Shows why something did not work. */
export const complain = (error: unknown): void =>
  tell(error instanceof Error ? error.message : String(error), { bad: true });
