// A block of code: its language, its colours once it is complete, and a button that copies it.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/text.ts';
import { CopyButton } from '../view/copy_button.tsx';
import type { Coloured } from './colours.ts';
import { pieces } from './pieces.ts';

const mostColoured = 50_000; // characters

export function Code({ text, language, closed }: { text: string; language: string; closed: boolean }) {
  const [colours, setColours] = useState<Coloured[]>();
  const name = language.split(/[\s{]/, 1)[0]!.toLowerCase();
  useEffect(() => {
    setColours(undefined);
    if (!closed || name === '' || text.length > mostColoured) return;
    let left = false;
    whenIdle(async () => {
      const { coloured } = await import('./colours.ts');
      const found = left ? undefined : await coloured(text, name);
      if (!left) setColours(found);
    });
    return () => void (left = true);
  }, [text, name, closed]);
  return (
    <div class="code" dir="ltr">
      <div class="code-head">
        <span>{name}</span>
        <CopyButton label={t('copyCode')} text={() => text} />
      </div>
      <pre tabIndex={0} aria-label={name === '' ? t('code') : t('codeIn', { language: name })} role="group">
        <code>{colours ? colours.map(view) : pieces(text)}</code>
      </pre>
    </div>
  );
}

const view = (each: Coloured): ComponentChildren =>
  typeof each === 'string' ? each : <span class={each.kind}>{each.children.map(view)}</span>;

const whenIdle = (run: () => Promise<void>) =>
  'requestIdleCallback' in window ? requestIdleCallback(() => void run()) : setTimeout(() => void run(), 50);
