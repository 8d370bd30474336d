// Where a question is written.
import type { UIMessage } from 'ai';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { isPending, takeChosen } from '../state/chosen_files.ts';
import { keepDraft, readDraft, unsent } from '../state/drafts.ts';
import { readAttachments } from '../state/attachments.ts';
import { freshChats } from '../state/new_chats.ts';
import { complain } from '../state/notices.ts';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { useFileDrop } from '../view/file_drop.ts';
import { Icon } from '../view/icons.tsx';
import { AddMenu } from './add_menu.tsx';
import { AttachmentList } from './attachment_list.tsx';
import { longPaste } from './files.ts';
import { fitBox } from './fit_box.ts';
import { focusBox } from './focus_box.ts';
import { standsForFiles } from './pasted.ts';
import type { PickerKind } from './pickers/picker.tsx';
import { send } from './send.ts';
import { sends } from './send_key.ts';
import type { ChatSession } from './session.ts';
import { useFiles } from './use_files.ts';

const Picker = lazy(() => import('./pickers/picker.tsx').then((it) => ({ default: it.Picker })));

interface Props {
  session: ChatSession;
  busy: boolean;
  messages: UIMessage[];
}

export function Composer({ session, busy, messages }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => readDraft(session.id) || readDraft(unsent(session.id)));
  const { files, add, addText, remove } = useFiles(session.id);
  const [picker, setPicker] = useState<PickerKind | null>(null);
  const { sendWith } = useStore(settings);
  const { stopping, phase, returned } = useStore(session.state);
  const loading = phase === 'loading' || files.some(isPending); // what was sent now was lost in what is shown then
  const now = useRef({ text });
  now.current = { text };

  useLayoutEffect(() => box.current?.focus(), [session]); // later it would take the cursor from who was quicker
  useEffect(() => {
    if (!freshChats.has(session.id)) void readAttachments(session.id);
  }, [session]);
  useLayoutEffect(() => fitBox(box.current), [text]);
  useEffect(() => {
    if (returned === '') return;
    setText((words) => (words.trim() === '' ? returned : `${words}\n\n${returned}`));
    session.state.patch({ returned: '' });
  }, [returned]);
  useEffect(() => {
    const timer = setTimeout(() => keepDraft(session.id, text), 300);
    return () => clearTimeout(timer);
  }, [session, text]);
  useEffect(() => {
    const keep = () => keepDraft(session.id, now.current.text);
    addEventListener('pagehide', keep);
    return () => (removeEventListener('pagehide', keep), keep());
  }, [session]);

  const dropping = useFileDrop((list) => void add(list));
  const submit = () => {
    const words = now.current.text;
    if (busy || loading || (words.trim() === '' && files.length === 0)) return;
    setText('');
    keepDraft(session.id, '');
    focusBox();
    void send(session, words.trim(), takeChosen(session.id)).catch(complain);
  };
  const stop = () => {
    focusBox();
    void session.stop();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && busy) stop();
    else if (sends(event, sendWith)) submit();
    else if (event.key === 'ArrowUp' && text === '') editLast(messages);
    else return;
    event.preventDefault();
  };
  const onInput = (event: InputEvent) => {
    const { value, selectionStart } = event.currentTarget as HTMLTextAreaElement;
    setText(value);
    if (event.isComposing || event.inputType !== 'insertText') return;
    if (value === '/') setPicker('prompt');
    if (event.data === '@' && /(^|\s)@$/.test(value.slice(0, selectionStart))) setPicker('resource');
  };
  const onPaste = (event: ClipboardEvent) => {
    const data = event.clipboardData;
    const words = data?.getData('text/plain') ?? '';
    if (data && standsForFiles(words, data.files)) void add([...data.files]);
    else if (words.length > longPaste) addText(words);
    else return;
    event.preventDefault();
  };
  const closePicker = (picked: boolean) => {
    if (picked) setText(text.replace(picker === 'prompt' ? /^\/$/ : /@(?=\s*$)/, ''));
    setPicker(null);
    // A dialog of the picker lets nothing else have it before; who has gone elsewhere meanwhile stays there.
    setTimeout(() => document.activeElement === document.body && box.current?.focus());
  };
  return (
    <div class={dropping ? 'composer dropping' : 'composer'}>
      <Suspense fallback={null}>
        {picker && <Picker kind={picker} session={session} busy={busy || loading} onClose={closePicker} />}
      </Suspense>
      <AttachmentList session={session} files={files} remove={remove} />
      <div class="composer-row">
        <AddMenu onFiles={add} onPick={setPicker} />
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label={t('message')}
          placeholder={t('messageHint')}
          value={text}
          onInput={onInput}
          onKeyDown={onKey}
          onPaste={onPaste}
        />
        {busy ? (
          <button type="button" class="send stop" aria-label={t('stop')} title={t('stop')} disabled={stopping} onClick={stop}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="button" class="send" aria-label={t('send')} title={t('send')} disabled={loading || (text.trim() === '' && files.length === 0)} onClick={submit}>
            <Icon name="send" />
          </button>
        )}
      </div>
    </div>
  );
}

function editLast(messages: UIMessage[]): void {
  const last = messages.findLast((each) => each.role === 'user');
  if (last === undefined) return;
  document.querySelector<HTMLElement>(`[data-id="${CSS.escape(last.id)}"] [data-action=edit] button`)?.click();
}
