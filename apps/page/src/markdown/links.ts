// Which addresses a text of others may lead to.

/** Returns the address if a reader may follow it; else nothing. */
export function safeLink(href: string): string | undefined {
  try {
    const url = new URL(href);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a picture is in the text itself: one from elsewhere would tell who reads it. */
export const isOwnImage = (href: string): boolean =>
  /^data:image\/(png|jpeg|gif|webp|avif);base64,/i.test(href);
