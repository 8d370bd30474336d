// What goes with the next question.
import { t } from '../i18n/text.ts';
import { detach } from '../server/mcp.ts';
import { mcp, setAttachments } from '../state/mcp_servers.ts';
import { complain } from '../state/notices.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../view/button.tsx';
import { Icon } from '../view/icons.tsx';
import { sizeOf } from '../view/save_file.ts';
import type { Attached } from './files.ts';
import { focusBox } from './focus_box.ts';
import type { ChatSession } from './session.ts';

interface Props {
  session: ChatSession;
  files: Attached[];
  setFiles: (files: Attached[]) => void;
}

export function AttachmentList({ session, files, setFiles }: Props) {
  const resources = useStore(mcp).attachments.get(session.id) ?? [];
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
          {each.part.type === 'file' ? <img src={each.part.url} alt="" /> : <Icon name="file" />}
          <span>{each.name}</span>
          <span class="note">{sizeOf(each.size)}</span>
          <IconButton
            icon="close"
            class="small"
            label={t('removeNamed', { name: each.name })}
            onClick={() => {
              setFiles(files.filter((_, i) => i !== at));
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
