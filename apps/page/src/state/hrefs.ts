// The page's addresses: all behind the `#`, because the server has one page only.
export type SettingsTab = 'servers' | 'chat' | 'data' | 'about';
export type Route = { screen: 'chat'; id: string } | { screen: 'settings'; tab: SettingsTab };

const tabs: SettingsTab[] = ['servers', 'chat', 'data', 'about'];

export const chatHref = (id: string): string => `#/chat/${encodeURIComponent(id)}`;
export const settingsHref = (tab: SettingsTab = 'servers'): string => `#/settings/${tab}`;

/** Reads a hash; nothing for one that names no screen. */
export function parseRoute(hash: string): Route | undefined {
  const [, screen, rest = ''] = /^#\/(chat|settings)(?:\/(.*))?$/.exec(hash) ?? [];
  if (screen === 'settings') return { screen, tab: tabs.find((each) => each === rest) ?? 'servers' };
  const id = decoded(rest);
  return screen === 'chat' && id !== '' ? { screen, id } : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
