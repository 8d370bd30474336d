// A link out of the page, to where a text of others may lead.
import type { ComponentChildren } from 'preact';
import { safeLink } from './links.ts';

/** Shows the words alone where the address is none that a reader may follow. */
export function OutsideLink({ to, children }: { to: string; children: ComponentChildren }) {
  const href = safeLink(to);
  if (href === undefined) return <>{children}</>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
