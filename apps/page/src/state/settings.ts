// What this browser's user has chosen. Losing it loses no text.
import { createStore } from './store.ts';

export interface Settings {
  theme: 'system' | 'light' | 'dark';
  language: 'system' | 'en' | 'zh';
  sendWith: 'enter' | 'ctrl-enter';
  follow: 'end' | 'beginning'; // what stays in view while an answer comes
  streaming: boolean;
  canvas: boolean; // whether models are offered the canvas
  model: string; // for new chats; '' = the server's default
}

const name = 'troupe.settings';
const standard: Settings = {
  theme: 'system',
  language: 'system',
  sendWith: 'enter',
  follow: 'end',
  streaming: true,
  canvas: true,
  model: '',
};

export const settings = createStore<Settings>({ ...standard, ...readJson(name) });

/** Changes and keeps settings. */
export function changeSettings(some: Partial<Settings>): void {
  settings.patch(some);
  writeJson(name, settings.get());
}

/** Returns what the browser keeps under a name, or nothing where it keeps nothing. */
export function readJson<T>(key: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Has the browser keep something; where it has no room the page goes on without. */
export function writeJson(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full, or switched off.
  }
}
