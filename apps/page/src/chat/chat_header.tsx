// The chat's title, model, servers and usage.
import type { UIMessage } from 'ai';
import { t } from '../i18n/text.ts';
import { useChatInfo } from '../state/chats.ts';
import { mcp } from '../state/mcp_servers.ts';
import { modelOfNewChats, models } from '../state/models.ts';
import { changeSettings, settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../view/button.tsx';
import { Menu } from '../view/menu.tsx';
import { fileName, saveFile } from '../view/save_file.ts';
import { ServerChoice } from './server_choice.tsx';
import type { ChatSession } from './session.ts';
import { override } from './session_changes.ts';
import { markdownOf } from './transcript.ts';

interface Props {
  session: ChatSession;
  messages: UIMessage[];
  onMenu: () => void;
}

export function ChatHeader({ session, messages, onMenu }: Props) {
  const title = useChatInfo(session.id)?.title ?? t('newChat');
  const { servers } = useStore(mcp);
  const canvas = useStore(session.canvas.view);
  const share = () => saveFile(fileName(title, 'md'), markdownOf(title, messages), 'text/markdown');
  return (
    <header class="chat-header">
      <IconButton icon="menu" class="only-phone" label={t('menu')} onClick={onMenu} />
      <h1 title={title}>{title}</h1>
      <Usage messages={messages} />
      <ModelChoice session={session} />
      {servers.length > 0 && <ServerChoice session={session} />}
      {canvas.picture && !canvas.open && (
        <IconButton icon="canvas" label={t('showCanvas')} onClick={() => session.canvas.setOpen(true)} />
      )}
      {messages.length > 0 && (
        <Menu label={t('chatActions')} icon="more" items={[{ label: t('saveMarkdown'), icon: 'save', run: share }]} />
      )}
    </header>
  );
}

function ModelChoice({ session }: { session: ChatSession }) {
  const all = useStore(models);
  const { overrides } = useStore(session.state);
  useStore(settings); // modelOfNewChats reads them
  if (all.length < 2) return null;
  const chosen = overrides.model ?? (session.exists ? '' : modelOfNewChats());
  return (
    <select
      class="model"
      aria-label={t('model')}
      value={all.includes(chosen) ? chosen : ''}
      onChange={(event) => {
        const name = event.currentTarget.value;
        changeSettings({ model: name });
        void override(session, { model: name === '' ? null : name });
      }}
    >
      <option value="">{t('defaultModel')}</option>
      {all.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

function Usage({ messages }: { messages: UIMessage[] }) {
  const sum = { inputTokens: 0, outputTokens: 0 };
  for (const each of messages) {
    const usage = (each.metadata as { usage?: typeof sum } | undefined)?.usage;
    sum.inputTokens += usage?.inputTokens ?? 0;
    sum.outputTokens += usage?.outputTokens ?? 0;
  }
  if (sum.inputTokens + sum.outputTokens === 0) return null;
  return (
    <span class="usage" title={t('usageHint')}>
      {t('usageShort', { input: sum.inputTokens, output: sum.outputTokens })}
    </span>
  );
}
