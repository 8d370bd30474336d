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
/** A phone's keyboard has no Shift+Enter for a new line, and the button that sends is under the thumb. */
const hasFingersOnly = globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;
const standard: Settings = {
  theme: 'system',
  language: 'system',
  sendWith: hasFingersOnly ? 'ctrl-enter' : 'enter',
  follow: 'end',
  streaming: true,
  canvas: true,
  model: '',
};

let chosen: Partial<Settings> = readJson(name) ?? {};

export const settings = createStore<Settings>({ ...standard, ...chosen });

/** Changes and keeps settings. What nobody has chosen is not kept: it may be another one on another screen. */
export function changeSettings(some: Partial<Settings>): void {
  settings.patch(some);
  chosen = { ...chosen, ...some };
  writeJson(name, chosen);
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
