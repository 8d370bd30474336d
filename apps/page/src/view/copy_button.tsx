// Copies a text, and says that it did.
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { complain } from '../state/notices.ts';
import { Icon } from './icons.tsx';

interface Props {
  label: string;
  text: () => string;
}

export function CopyButton({ label, text }: Props) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await copyText(text());
      setDone(true);
      setTimeout(() => setDone(false), 2000);
    } catch {
      complain(new Error(t('notCopied')));
    }
  };
  return (
    <button type="button" class="icon-button small" aria-label={label} title={label} onClick={() => void copy()}>
      <Icon name={done ? 'check' : 'copy'} />
      {done && <span class="hidden" role="status">{t('copied')}</span>}
    </button>
  );
}

/** The clipboard of browsers is there for https and localhost only; else the old way. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'hidden';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('the browser refused');
}
