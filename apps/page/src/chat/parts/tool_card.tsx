// One call of a tool: what it was asked, how far it is, what came of it.
import type { DynamicToolUIPart, ToolUIPart } from 'ai';
import { useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { useStore } from '../../state/store.ts';
import { Icon } from '../../view/icons.tsx';
import type { ChatSession } from '../session.ts';
import { toolOf } from '../session_state.ts';
import { ApprovalButtons } from './approval.tsx';
import { ToolOutput } from './tool_output.tsx';

export type ToolPart = DynamicToolUIPart | ToolUIPart;

export function ToolCard({ session, part }: { session: ChatSession; part: ToolPart }) {
  const [open, setOpen] = useState(false);
  const { progress } = useStore(session.state);
  const name = toolOf(part);
  const title = (part as { title?: string }).title;
  const how = progress[part.toolCallId];
  const asks = part.state === 'approval-requested';
  return (
    <div class={`tool ${part.state}`} role="group" aria-label={t('toolNamed', { name })}>
      <button type="button" class="tool-head" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="tool" />
        <span class="tool-name">{title ?? name}</span>
        <span class="tool-state">{stateText(part)}</span>
        <Icon name="chevron" />
      </button>
      {how && part.state === 'input-available' && (
        <div class="tool-progress">
          <progress max={how.total ?? 1} value={how.total ? how.progress : undefined} aria-label={t('progress')} />
          <span>{how.message ?? (how.total ? `${how.progress} / ${how.total}` : how.progress)}</span>
        </div>
      )}
      {asks && <ApprovalButtons session={session} id={part.approval.id} name={name} />}
      {part.state === 'output-error' && <p class="bad-text">{part.errorText}</p>}
      {(open || asks) && <Arguments part={part} />}
      {open && part.state === 'output-available' && <ToolOutput output={part.output} name={name} />}
      {!open && part.state === 'output-available' && hasPicture(part.output) && (
        <ToolOutput output={part.output} name={name} picturesOnly />
      )}
    </div>
  );
}

/** While they stream the arguments are not printed: that would cost more with each piece. */
function Arguments({ part }: { part: ToolPart }) {
  if (part.state === 'input-streaming') return <p class="note">{t('argumentsComing')}</p>;
  const text = typeof part.input === 'string' ? part.input : JSON.stringify(part.input ?? {}, null, 2);
  return (
    <pre tabIndex={0} role="group" aria-label={t('arguments')}>
      {text.length > 20_000 ? `${text.slice(0, 20_000)}\n...` : text}
    </pre>
  );
}

function stateText(part: ToolPart): string {
  switch (part.state) {
    case 'input-streaming':
      return t('toolAsking');
    case 'input-available':
      return t('toolRunning');
    case 'approval-requested':
      return t('toolWaits');
    case 'approval-responded':
      return part.approval.approved ? t('toolAllowed') : t('toolDenied');
    case 'output-denied':
      return t('toolDenied');
    case 'output-error':
      return t('toolFailed');
    default:
      return isFailure(part.output) ? t('toolFailed') : t('toolDone');
  }
}

const isFailure = (output: unknown): boolean => (output as { isError?: boolean } | null)?.isError === true;
const hasPicture = (output: unknown): boolean => {
  const content = (output as { content?: unknown } | null)?.content;
  return Array.isArray(content) && content.some((each) => each?.type === 'image');
};
