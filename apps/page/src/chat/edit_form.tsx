// Puts another text in place of a question.
import type { UIMessage } from 'ai';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { chatHref } from '../state/hrefs.ts';
import { refreshChats } from '../state/chats.ts';
import { keepDraft } from '../state/drafts.ts';
import { complain } from '../state/notices.ts';
import { settings } from '../state/settings.ts';
import { sends } from './send_key.ts';
import type { ChatSession } from './session.ts';
import { branchBefore, edit } from './session_changes.ts';
import { fileOfText, textOf } from './session_state.ts';

interface Props {
  session: ChatSession;
  message: UIMessage;
  onClose: () => void;
}

export function EditForm({ session, message, onClose }: Props) {
  const [text, setText] = useState(textOf(message));
  const box = useRef<HTMLTextAreaElement>(null);
  const { messages } = session.chat;
  const at = messages.findIndex((each) => each.id === message.id);
  const answers = messages.slice(at).filter((each) => each.role === 'assistant').length;
  useLayoutEffect(() => {
    const article = box.current?.closest<HTMLElement>('article');
    box.current?.focus();
    box.current?.setSelectionRange(text.length, text.length);
    return () => {
      const now = document.activeElement; // nobody has it where the box went with it
      if (now === null || now === document.body || article?.contains(now)) article?.focus({ preventScroll: true });
    };
  }, []);

  const save = () => {
    if (text.trim() === '' || session.busy) return;
    onClose();
    const others = message.parts.filter((part) => part.type !== 'text' || fileOfText(part));
    void edit(session, message.id, [...others, { type: 'text', text }]).catch(complain);
  };
  const saveElsewhere = async () => {
    try {
      const id = await branchBefore(session, message.id);
      keepDraft(id, text);
      void refreshChats();
      location.hash = chatHref(id);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={box}
        dir="auto"
        aria-label={t('editMessage')}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (sends(event, settings.get().sendWith)) save();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {answers > 1 && <p class="note">{t('editCuts', { count: answers })}</p>}
      <div class="row end">
        <button type="button" onClick={onClose}>
          {t('cancel')}
        </button>
        {answers > 1 && (
          <button type="button" onClick={() => void saveElsewhere()}>
            {t('editInBranch')}
          </button>
        )}
        <button type="submit" class="primary">
          {t('saveAndAsk')}
        </button>
      </div>
    </form>
  );
}
