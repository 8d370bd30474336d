// One chat of the list, with its menu.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { openNewChat } from '../routes.ts';
import { exportChat, isChanged, type ChatInfo } from '../server/conversations.ts';
import { deleteChat, newestVersion, refreshChats, renameChat } from '../state/chats.ts';
import { chatHref } from '../state/hrefs.ts';
import { complain } from '../state/notices.ts';
import { FormDialog } from '../view/form_dialog.tsx';
import { Menu } from '../view/menu.tsx';
import { fileName, saveFile } from '../view/save_file.ts';

interface Props {
  chat: ChatInfo;
  current: boolean;
  onOpen: () => void;
}

export function ChatItem({ chat, current, onOpen }: Props) {
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState<Promise<number> | null>(null); // the version that one was asked about
  const save = () =>
    exportChat(chat.id).then((text) => saveFile(fileName(chat.title, 'json'), text, 'application/json'), complain);
  const remove = async (version: Promise<number>) => {
    setDeleting(null);
    try {
      await deleteChat(chat.id, await version);
      if (current) openNewChat();
      else document.querySelector<HTMLElement>('.search')?.focus(); // its menu is gone
    } catch (error) {
      complain(isChanged(error) ? new Error(t('changedAndKept', { title: chat.title })) : error);
      void refreshChats();
    }
  };
  return (
    <li class={current ? 'current' : undefined}>
      {renaming ? (
        <TitleBox chat={chat} onClose={() => setRenaming(false)} />
      ) : (
        <a href={chatHref(chat.id)} title={chat.title} aria-current={current ? 'page' : undefined} onClick={onOpen}>
          {chat.title || t('untitled')}
        </a>
      )}
      <Menu
        label={t('actionsOf', { title: chat.title })}
        icon="more"
        items={[
          { label: t('rename'), icon: 'edit', run: () => setRenaming(true) },
          { label: t('export'), icon: 'save', run: () => void save() },
          { label: t('delete'), icon: 'trash', run: () => setDeleting(newestVersion(chat.id)) },
        ]}
      />
      {deleting && (
        <FormDialog
          title={t('deleteTitle')}
          submit={t('delete')}
          onSubmit={() => void remove(deleting)}
          onClose={() => setDeleting(null)}
          danger
        >
          <p>{t('deleteAsks', { title: chat.title })}</p>
        </FormDialog>
      )}
    </li>
  );
}

function TitleBox({ chat, onClose }: { chat: ChatInfo; onClose: () => void }) {
  const [title, setTitle] = useState(chat.title);
  const box = useRef<HTMLInputElement>(null);
  const over = useRef(false); // a box that goes away loses the focus, which is no wish to save
  useLayoutEffect(() => {
    const item = box.current?.closest('li');
    box.current?.select();
    return () => void setTimeout(() => document.activeElement === document.body && item?.querySelector('a')?.focus());
  }, []);
  const end = (saves: boolean) => {
    if (over.current) return;
    over.current = true;
    onClose();
    if (saves && title.trim() !== '' && title !== chat.title) void renameChat(chat.id, title.trim()).catch(complain);
  };
  return (
    <input
      ref={box}
      class="rename"
      aria-label={t('title')}
      value={title}
      maxLength={250}
      onInput={(event) => setTitle(event.currentTarget.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.isComposing) end(true);
        if (event.key === 'Escape') end(false);
        event.stopPropagation();
      }}
    />
  );
}
