// What the model thought aloud, folded away.
import { t } from '../../i18n/text.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { useState } from 'preact/hooks';

export function ReasoningPart({ text, live }: { text: string; live: boolean }) {
  const [open, setOpen] = useState(false);
  if (text.trim() === '') return null;
  return (
    <details class="reasoning" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{live ? t('thinking') : t('thoughts')}</summary>
      {open && <Markdown text={text} done={!live} />}
    </details>
  );
}
