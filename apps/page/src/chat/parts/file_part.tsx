// Files of a message.
import { isOwnImage } from '../../markdown/links.ts';
import { isUploaded } from '../../server/uploads.ts';
import { StoredFile } from './stored_file.tsx';
import { OutsideLink } from '../../markdown/outside_link.tsx';
import { sizeOf } from '../../view/save_file.ts';
import { Icon } from '../../view/icons.tsx';
import { t } from '../../i18n/text.ts';

export function FilePart({ url, name, type }: { url: string; name: string; type: string }) {
  if (isUploaded(url)) return <StoredFile url={url} name={name} type={type} />;
  if (isOwnImage(url)) return <img class="picture" src={url} alt={name || t('picture')} />;
  return (
    <p class="file">
      <Icon name="file" />
      <OutsideLink to={url}>{name || type}</OutsideLink>
    </p>
  );
}

/** A text file that went with a question; only its beginning is shown. */
export function TextFile({ name, size, text }: { name: string; size: number; text: string }) {
  return (
    <details class="file-text">
      <summary>
        <Icon name="file" /> {name} <span class="note">{sizeOf(size)}</span>
      </summary>
      <pre tabIndex={0} role="group" aria-label={name}>
        {text.slice(0, 5000)}
        {text.length > 5000 ? '\n...' : ''}
      </pre>
    </details>
  );
}
