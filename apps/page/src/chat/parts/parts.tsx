// The parts of a message in their order.
import type { UIMessage } from 'ai';
import { t } from '../../i18n/text.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import type { ChatSession } from '../session.ts';
import { fileOfText } from '../session_state.ts';
import { FilePart, TextFile } from './file_part.tsx';
import { ReasoningPart } from './reasoning_part.tsx';
import { ResourcePart } from './resource_part.tsx';
import { ToolCard, type ToolPart } from './tool_card.tsx';

type Part = UIMessage['parts'][number];

interface Props {
  session: ChatSession;
  message: UIMessage;
  parts: Part[];
  live: boolean;
}

export function Parts({ session, message, parts, live }: Props) {
  const last = parts.length - 1;
  return (
    <>
      {parts.map((part, at) => (
        <OnePart
          key={'toolCallId' in part ? part.toolCallId : at}
          session={session}
          part={part}
          own={message.role === 'user'}
          live={live && at === last}
        />
      ))}
    </>
  );
}

interface OneProps {
  session: ChatSession;
  part: Part;
  own: boolean;
  live: boolean;
}

function OnePart({ session, part, own, live }: OneProps) {
  switch (part.type) {
    case 'text': {
      const file = own ? fileOfText(part) : undefined;
      if (file) return <TextFile name={file.name} size={file.size} text={part.text} />;
      if (own) return <p class="plain" dir="auto">{part.text}</p>;
      return <Markdown text={part.text} done={!live} />;
    }
    case 'reasoning':
      return <ReasoningPart text={part.text} live={live} />;
    case 'file':
      return <FilePart url={part.url} name={part.filename ?? ''} type={part.mediaType} />;
    case 'data-mcp-resource':
      return <ResourcePart data={part.data} />;
    case 'data-limit':
      return <LimitNote data={part.data} />;
    default:
      return 'toolCallId' in part ? <ToolCard session={session} part={part as ToolPart} /> : null;
  }
}

/** Why an answer ended behind its tools. */
function LimitNote({ data }: { data: unknown }) {
  const { finishReason, roundtrips } = (data ?? {}) as { finishReason?: string; roundtrips?: number };
  if (finishReason === 'length') return <p class="note">{t('cutByLength')}</p>;
  if (finishReason === 'content-filter') return <p class="note">{t('cutByFilter')}</p>;
  return <p class="note">{t('cutByRounds', { count: roundtrips ?? 0 })}</p>;
}
