// One message with what can be done with it.
import type { UIMessage } from 'ai';
import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { CopyButton } from '../view/copy_button.tsx';
import { IconButton } from '../view/button.tsx';
import { complain } from '../state/notices.ts';
import { EditForm } from './edit_form.tsx';
import { Parts } from './parts/parts.tsx';
import type { ChatSession } from './session.ts';
import { branch, regenerate } from './session_changes.ts';
import { textOf } from './session_state.ts';

interface Props {
  session: ChatSession;
  message: UIMessage;
  live: boolean; // it is still growing
  busy: boolean;
  stopped: boolean;
  cut: 'length' | 'content-filter' | undefined; // by the model
  found: boolean; // by a search
  held: UIMessage['parts'] | undefined; // what it had before the turn that is shown
}

export const Message = memo(MessageView);

function MessageView({ session, message, live, busy, stopped, cut, found, held }: Props) {
  const [editing, setEditing] = useState(false);
  const own = message.role === 'user';
  const text = textOf(message);
  const who = own ? t('you') : t('assistant');
  return (
    <article
      class={own ? 'message own' : 'message'}
      aria-label={`${who}: ${text.slice(0, 60)}`}
      aria-current={found || undefined}
      data-id={message.id}
      tabIndex={-1}
    >
      {editing ? (
        <EditForm session={session} message={message} onClose={() => setEditing(false)} />
      ) : (
        <div class="body">
          {held && <Parts session={session} message={message} parts={held} live={false} />}
          <Parts session={session} message={message} parts={message.parts} live={live} />
          {stopped && !live && <p class="note">{t('stopped')}</p>}
          {cut && !live && <p class="note">{t(cut === 'length' ? 'cutByLength' : 'cutByFilter')}</p>}
        </div>
      )}
      {!editing && !live && (
        <div class="actions">
          {text !== '' && (
            <span data-action="copy">
              <CopyButton label={t('copy')} text={() => text} />
            </span>
          )}
          {!busy && own && (
            <span data-action="edit">
              <IconButton icon="edit" class="small" label={t('edit')} onClick={() => setEditing(true)} />
            </span>
          )}
          {!busy && !own && (
            <IconButton
              icon="again"
              class="small"
              label={t('regenerate')}
              onClick={() => void regenerate(session, message.id).catch(complain)}
            />
          )}
          {!busy && (
            <IconButton
              icon="branch"
              class="small"
              label={t('branch')}
              onClick={() => void branch(session, message.id)}
            />
          )}
        </div>
      )}
    </article>
  );
}
