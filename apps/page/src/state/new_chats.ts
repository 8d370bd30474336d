// Chats that begin on this page.

/** Ids of chats that were begun here and have no message yet: nothing is asked about them. */
export const freshChats = new Set<string>();

/** Returns an id that nobody guesses or has. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => 'abcdefghijklmnopqrstuvwxyz012345'[byte & 31]).join('');
}
