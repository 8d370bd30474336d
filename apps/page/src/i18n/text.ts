// The page's words in the reader's language.
import en from './en.json';

export type Words = keyof typeof en;

let words: Record<string, string> = en;

/** Chooses a language: the reader's wish, or what the browser says. Resolves when it is in use. */
export async function useLanguage(wish: 'system' | 'en' | 'zh'): Promise<void> {
  const asked = wish === 'system' ? (navigator.languages ?? [navigator.language]) : [wish];
  const first = asked.find((each) => /^(en|zh)\b/i.test(each));
  const chinese = first !== undefined && /^zh/i.test(first);
  words = chinese ? { ...en, ...(await import('./zh.json')).default } : en;
  document.documentElement.lang = chinese ? 'zh-CN' : 'en';
}

/** Returns a text, with `{name}` replaced; of "1 tool|{count} tools" the half that fits. */
export function t(key: Words, values: Record<string, string | number> = {}): string {
  const [one = '', many = one] = words[key]!.split('|');
  return fill(values['count'] === 1 ? one : many, values);
}

/** Replaces each `{name}` of a text for which there is a value. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
