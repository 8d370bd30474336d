// The canvas beside a chat.
import { lazy, memo, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../view/button.tsx';
import { fileName, saveFile } from '../view/save_file.ts';
import { writeDiagram } from './canvas_document.ts';
import type { CanvasState, Picture } from './canvas_state.ts';
import { Splitter } from './splitter.tsx';

const DiagramView = lazy(() => import('./diagram_view.tsx').then((it) => ({ default: it.DiagramView })));
const SvgView = lazy(() => import('./svg_view.tsx').then((it) => ({ default: it.SvgView })));

interface Props {
  canvas: CanvasState;
  title: string;
}

/** What is drawn is not looked at again for each piece of an answer beside it. */
export const Canvas = memo(({ canvas, title }: Props) => {
  const { picture, preview, before } = useStore(canvas.view);
  const [source, setSource] = useState(false);
  useEffect(() => setSource(false), [picture]);
  const shown: Picture | null = preview ? { kind: 'diagram', diagram: preview } : picture;
  return (
    <aside class="canvas" id="canvas" aria-label={t('canvas')}>
      <Splitter canvas="canvas" />
      <div class="canvas-head">
        <h2>{preview ? t('drawing') : t('canvas')}</h2>
        <IconButton icon="undo" label={t('undo')} disabled={before.length === 0} onClick={() => canvas.undo()} />
        <button type="button" aria-pressed={source} disabled={!picture} onClick={() => setSource(!source)}>
          {t('source')}
        </button>
        {picture && <IconButton icon="save" label={saveLabel(picture)} onClick={() => void save(picture, title)} />}
        <IconButton icon="close" label={t('closeCanvas')} onClick={() => canvas.setOpen(false)} />
      </div>
      <div class="canvas-body">
        {source && picture && (
          <pre tabIndex={0} role="group" aria-label={t('source')}>
            {sourceOf(picture)}
          </pre>
        )}
        <Suspense fallback={<p class="empty">{t('loading')}</p>}>
          {!source && shown?.kind === 'diagram' && (
            <DiagramView diagram={shown.diagram} onDrawn={preview ? undefined : (error) => canvas.onDrawn(error)} />
          )}
          {!source && shown?.kind === 'svg' && <SvgView svg={shown.svg} onDrawn={(error) => canvas.onDrawn(error)} />}
        </Suspense>
        {!shown && <p class="empty">{t('emptyCanvas')}</p>}
      </div>
    </aside>
  );
});

const saveLabel = (picture: Picture) => (picture.kind === 'diagram' ? t('saveDrawio') : t('saveSvg'));
const sourceOf = (picture: Picture) => (picture.kind === 'diagram' ? writeDiagram(picture.diagram) : picture.svg);

async function save(picture: Picture, title: string): Promise<void> {
  if (picture.kind === 'diagram')
    return saveFile(fileName(title, 'drawio'), writeDiagram(picture.diagram), 'application/xml');
  const { cleanSvg } = await import('./svg_image.ts');
  saveFile(fileName(title, 'svg'), cleanSvg(picture.svg), 'image/svg+xml');
}
