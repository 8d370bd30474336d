// A file that the server keeps: its bytes are asked for with the key, and shown as a blob.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { contentsOf } from '../../server/uploads.ts';
import { complain } from '../../state/notices.ts';
import { Icon } from '../../view/icons.tsx';
import { saveFile } from '../../view/save_file.ts';

interface Props {
  url: string;
  name: string;
  type: string;
}

export function StoredFile(props: Props) {
  return /^image\/(png|jpeg|gif|webp)$/.test(props.type) ? <StoredPicture {...props} /> : <Download {...props} />;
}

function StoredPicture({ url, name, type }: Props) {
  const [shown, setShown] = useState<string | null>(); // null: it is gone
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let made: string | undefined;
    let left = false;
    contentsOf(url)
      .then((bytes) => {
        if (left) return;
        made = bytes && URL.createObjectURL(bytes);
        setShown(made ?? null);
      })
      .catch(() => setFailed(true));
    return () => {
      left = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [url]);
  if (failed) return <Download url={url} name={name} type={type} />; // which can be tried again
  if (shown === null) return <Gone name={name} />;
  return shown ? <img class="picture" src={shown} alt={name || t('picture')} /> : <p class="note">{t('loading')}</p>;
}

function Download({ url, name, type }: Props) {
  const [gone, setGone] = useState(false);
  const save = async () => {
    const bytes = await contentsOf(url);
    if (bytes === undefined) setGone(true);
    else saveFile(name || 'file', bytes, type);
  };
  if (gone) return <Gone name={name} />;
  return (
    <p class="file">
      <Icon name="file" />
      <button type="button" class="link" onClick={() => void save().catch(complain)}>
        {name || type}
      </button>
    </p>
  );
}

const Gone = ({ name }: { name: string }) => (
  <p class="file">
    <Icon name="file" /> {name} <span class="note">{t('fileGone')}</span>
  </p>
);
