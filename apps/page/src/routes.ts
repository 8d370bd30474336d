// What the address says to show.
import { chatHref, parseRoute, type Route } from './state/hrefs.ts';
import { freshChats, newId } from './state/new_chats.ts';
import { createStore, useStore } from './state/store.ts';

const route = createStore<Route>(current());

/** Goes to a chat that does not exist yet; asks nobody. */
export function openNewChat(): void {
  const id = newId();
  freshChats.add(id);
  location.hash = chatHref(id);
}

/** The message that the address names was found: from now on it is the chat's again, also after a reload. */
export function leaveFound(): void {
  const now = route.get();
  if (now.screen !== 'chat' || now.found === undefined) return;
  history.replaceState(null, '', chatHref(now.id));
  route.set({ screen: 'chat', id: now.id });
}

function current(hash = location.hash): Route {
  const found = parseRoute(hash) ?? parseRoute(location.hash);
  if (found) return found;
  const id = newId();
  freshChats.add(id);
  history.replaceState(null, '', chatHref(id));
  return { screen: 'chat', id };
}

// The address may be another one again by now: a screen that was left for a moment was left, too.
addEventListener('hashchange', ({ newURL }) => route.set(current(new URL(newURL).hash)));

export const useRoute = (): Route => useStore(route);
