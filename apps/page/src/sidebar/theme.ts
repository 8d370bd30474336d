// Light or dark.
import { settings, type Settings } from '../state/settings.ts';

const system = matchMedia('(prefers-color-scheme: dark)');

export const isDark = (theme: Settings['theme']): boolean =>
  theme === 'system' ? system.matches : theme === 'dark';

/** Keeps the document in the colours that the settings and the system ask for. */
export function followTheme(): void {
  const apply = () => {
    document.documentElement.dataset['theme'] = isDark(settings.get().theme) ? 'dark' : 'light';
  };
  apply();
  settings.subscribe(apply);
  system.addEventListener('change', apply);
}
