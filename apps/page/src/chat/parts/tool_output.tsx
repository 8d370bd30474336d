// What a tool answered: texts, pictures, resources, or JSON.
import { useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { isOwnImage } from '../../markdown/links.ts';
import { CopyButton } from '../../view/copy_button.tsx';
import { saveFile, sizeOf } from '../../view/save_file.ts';

interface Content {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
  uri?: string;
  name?: string;
  resource?: { uri: string; mimeType?: string; text?: string; blob?: string };
}

const atOnce = 20_000; // characters
const step = 200_000;

interface Props {
  output: unknown;
  name: string;
  picturesOnly?: boolean;
}

export function ToolOutput({ output, name, picturesOnly }: Props) {
  const given = output as { content?: unknown; structuredContent?: unknown } | null;
  const content = Array.isArray(given?.content) ? (given.content as Content[]) : undefined;
  if (content === undefined) return picturesOnly ? null : <LongText text={asText(output)} name={name} />;
  const shown = picturesOnly ? content.filter((each) => each.type === 'image') : content;
  const hasText = content.some((each) => each.type === 'text' && each.text);
  return (
    <div class="tool-output">
      {shown.map((each, at) => (
        <OneContent key={at} content={each} name={name} />
      ))}
      {!picturesOnly && given?.structuredContent !== undefined && !hasText && (
        <LongText text={asText(given.structuredContent)} name={name} />
      )}
    </div>
  );
}

function OneContent({ content, name }: { content: Content; name: string }) {
  const { type, resource } = content;
  if (type === 'text') return <LongText text={content.text ?? ''} name={name} />;
  if (type === 'image') {
    const url = `data:${content.mimeType};base64,${content.data}`;
    return isOwnImage(url) ? <img class="picture" src={url} alt={t('pictureOf', { name })} /> : <p>{content.mimeType}</p>;
  }
  if (type === 'resource' && resource) return <EmbeddedResource resource={resource} />;
  if (type === 'resource_link') return <p class="file">{content.name ?? ''} {content.uri}</p>;
  return <LongText text={asText(content)} name={name} />;
}

export function EmbeddedResource({ resource }: { resource: NonNullable<Content['resource']> }) {
  const { uri, mimeType = '', text, blob } = resource;
  const url = `data:${mimeType};base64,${blob}`;
  const save = () => saveFile(uri.split('/').pop() || 'resource', bytesOf(blob!), mimeType);
  return (
    <div class="resource">
      <p class="note">
        {uri} {mimeType}
      </p>
      {text !== undefined && <LongText text={text} name={uri} />}
      {blob !== undefined && isOwnImage(url) && <img class="picture" src={url} alt={uri} />}
      {blob !== undefined && (
        <button type="button" onClick={save}>
          {t('save')} ({sizeOf(Math.floor(blob.length * 0.75))})
        </button>
      )}
    </div>
  );
}

/** A text of any length: its beginning, and more on demand. */
function LongText({ text, name }: { text: string; name: string }) {
  const [shown, setShown] = useState(atOnce);
  return (
    <div class="long-text">
      <pre tabIndex={0} role="group" aria-label={t('resultOf', { name })}>
        {text.length > shown ? text.slice(0, shown) : text}
      </pre>
      <div class="row">
        {text.length > shown && (
          <button type="button" onClick={() => setShown(shown + step)}>
            {t('showAll', { size: sizeOf(text.length) })}
          </button>
        )}
        <CopyButton label={t('copyResult')} text={() => text} />
        {text.length > atOnce && (
          <button type="button" onClick={() => saveFile(`${name}.txt`, text, 'text/plain')}>
            {t('save')}
          </button>
        )}
      </div>
    </div>
  );
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
