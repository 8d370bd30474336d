// The page's addresses: all behind the `#`, because the server has one page only.
export type SettingsTab = 'servers' | 'chat' | 'data' | 'about';
export type Route = { screen: 'chat'; id: string; found?: Found } | { screen: 'settings'; tab: SettingsTab };

/** A message that a search found, and the words of it. */
export interface Found {
  message: string; // its id
  words: string[];
}

const tabs: SettingsTab[] = ['servers', 'chat', 'data', 'about'];

/** The address of a chat, or of a message of it. */
export function chatHref(id: string, found?: Found): string {
  const chat = `#/chat/${encodeURIComponent(id)}`;
  if (found === undefined) return chat;
  const words = found.words.map((each): [string, string] => ['word', each]);
  return `${chat}?${new URLSearchParams([['message', found.message], ...words])}`;
}
export const settingsHref = (tab: SettingsTab = 'servers'): string => `#/settings/${tab}`;

/** Reads a hash; nothing for one that names no screen. */
export function parseRoute(hash: string): Route | undefined {
  const [, screen, rest = ''] = /^#\/(chat|settings)(?:\/(.*))?$/.exec(hash) ?? [];
  if (screen === 'settings') return { screen, tab: tabs.find((each) => each === rest) ?? 'servers' };
  const [path = '', query = ''] = rest.split('?', 2);
  const id = decoded(path);
  return screen === 'chat' && id !== '' ? { screen, id, ...foundIn(query) } : undefined;
}

function foundIn(query: string): { found?: Found } {
  const asked = new URLSearchParams(query);
  const message = asked.get('message');
  return message === null ? {} : { found: { message, words: asked.getAll('word') } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
