// What goes with the next question.
import { t } from '../i18n/text.ts';
import { detach } from '../server/mcp.ts';
import { attachments, setAttachments } from '../state/attachments.ts';
import { isPending, type Chosen } from '../state/chosen_files.ts';
import { complain } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../view/button.tsx';
import { Icon } from '../view/icons.tsx';
import { sizeOf } from '../view/save_file.ts';
import { focusBox } from './focus_box.ts';
import type { ChatSession } from './session.ts';

interface Props {
  session: ChatSession;
  files: Chosen[];
  remove: (file: Chosen) => void;
}

export function AttachmentList({ session, files, remove }: Props) {
  const resources = useStore(attachments).get(session.id) ?? [];
  if (files.length + resources.length === 0) return null;
  const drop = (id: string) => {
    setAttachments(session.id, resources.filter((each) => each.id !== id));
    void detach(session.id, id).catch(complain);
    focusBox(); // the button is gone
  };
  return (
    <ul class="attachments" aria-label={t('attachments')}>
      {files.map((each, at) => (
        <li key={`${at} ${each.name}`}>
          <Preview file={each} />
          <span>{each.name}</span>
          <span class="note">{sizeOf(each.size)}</span>
          {isPending(each) && <progress value={each.share} max={1} aria-label={t('uploading', { name: each.name })} />}
          <IconButton
            icon="close"
            class="small"
            label={t('removeNamed', { name: each.name })}
            onClick={() => {
              remove(each);
              focusBox();
            }}
          />
        </li>
      ))}
      {resources.map((each) => (
        <li key={each.id} class={each.error ? 'bad' : undefined} title={each.uri}>
          <Icon name="resource" />
          <span>{each.name || each.uri}</span>
          <span class="note">{each.error || (each.loading ? t('loading') : sizeOf(each.text.length))}</span>
          <IconButton
            icon="close"
            class="small"
            label={t('removeNamed', { name: each.name || each.uri })}
            onClick={() => drop(each.id)}
          />
        </li>
      ))}
    </ul>
  );
}

function Preview({ file }: { file: Chosen }) {
  const picture = !isPending(file) && file.part.type === 'file' && file.part.mediaType.startsWith('image/');
  const url = picture ? (file.preview ?? (file.part as { url: string }).url) : undefined;
  return url === undefined ? <Icon name="file" /> : <img src={url} alt="" />;
}
