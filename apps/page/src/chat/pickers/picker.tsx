// A list above the box: prompts after "/", resources after "@".
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import type { McpPrompt, McpResource, McpTemplate } from '../../server/mcp.ts';
import { attach } from '../../server/mcp.ts';
import { noteAttachment, readAttachments } from '../../state/attachments.ts';
import { mcp } from '../../state/mcp_servers.ts';
import { complain } from '../../state/notices.ts';
import { useStore } from '../../state/store.ts';
import type { ChatSession } from '../session.ts';
import { PromptDialog } from './prompt_dialog.tsx';
import { TemplateDialog } from './template_dialog.tsx';

export type PickerKind = 'prompt' | 'resource';
type Choice = McpPrompt | McpResource | McpTemplate;

interface Props {
  kind: PickerKind;
  session: ChatSession;
  busy: boolean; // nothing can be asked now
  onClose: (picked: boolean) => void;
}

export function Picker({ kind, session, busy, onClose }: Props) {
  const { prompts, resources, templates } = useStore(mcp);
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const [chosen, setChosen] = useState<McpPrompt | McpTemplate>();
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false); // the box goes away because something was chosen
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => document.getElementById(`picker-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);
  const all: Choice[] = kind === 'prompt' ? prompts : [...resources, ...templates];
  const found = all.filter((each) => textOf(each).toLowerCase().includes(words.toLowerCase())).slice(0, 50);
  const add = async (server: string, uri: string, name: string) => {
    onClose(true);
    try {
      noteAttachment(session.id, { ...(await attach(session.id, server, uri)), name });
      await readAttachments(session.id);
    } catch (error) {
      complain(error);
    }
  };
  const choose = (one: Choice | undefined) => {
    if (one === undefined) return;
    done.current = true;
    if ('uri' in one) void add(one.server, one.uri, one.name);
    else setChosen(one);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(found.length - 1, at + step)));
    else if (event.key === 'Enter' && !event.isComposing) choose(found[at]);
    else if (event.key === 'Escape') onClose(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (chosen && 'uriTemplate' in chosen)
    return <TemplateDialog template={chosen} onClose={() => onClose(false)} onDone={(uri) => void add(chosen.server, uri, chosen.name)} />;
  if (chosen) return <PromptDialog prompt={chosen} session={session} busy={busy} onClose={() => onClose(true)} />;
  const title = kind === 'prompt' ? t('choosePrompt') : t('chooseResource');
  return (
    <div class="picker">
      <input
        ref={input}
        role="combobox"
        aria-label={title}
        aria-expanded
        aria-controls="picker-list"
        aria-activedescendant={found.length > 0 ? `picker-${at}` : undefined}
        placeholder={title}
        value={words}
        onInput={(event) => (setWords(event.currentTarget.value), setAt(0))}
        onKeyDown={onKey}
        onBlur={() => !done.current && onClose(false)}
      />
      <ul id="picker-list" role="listbox" aria-label={title}>
        {found.map((each, i) => (
          <li
            key={textOf(each)}
            id={`picker-${i}`}
            role="option"
            aria-selected={i === at}
            onPointerDown={(event) => (event.preventDefault(), choose(each))}
          >
            <span>{each.name}</span> <span class="note">{each.server}</span>
            {each.description && <span class="note more">{each.description}</span>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="note">{t('nothingFound')}</p>}
    </div>
  );
}

const textOf = (one: Choice): string =>
  `${one.server} ${one.name} ${'uri' in one ? one.uri : 'uriTemplate' in one ? one.uriTemplate : ''}`;
