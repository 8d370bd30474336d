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

function current(): Route {
  const found = parseRoute(location.hash);
  if (found) return found;
  const id = newId();
  freshChats.add(id);
  history.replaceState(null, '', chatHref(id));
  return { screen: 'chat', id };
}

addEventListener('hashchange', () => route.set(current()));

export const useRoute = (): Route => useStore(route);
