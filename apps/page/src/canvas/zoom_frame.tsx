// The place of a drawing, with what moves it and changes its size.
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { IconButton } from '../view/button.tsx';
import { followPointers, moveByKey, zoomStep } from './view_moves.ts';
import type { Viewport } from './viewport.ts';

/** Something drawn in a place. */
export interface Seen {
  viewport: Viewport;
  /** Shows the part of it that the viewport says. */
  look: () => void;
}

interface Props {
  place: RefObject<HTMLDivElement | null>;
  seen: () => Seen | null;
  children?: ComponentChildren; // what stands in the place; nothing: a drawing that words stand for
  words: ComponentChildren; // the same for who does not see it
}

export function ZoomFrame({ place, seen, children, words }: Props) {
  useEffect(() => {
    const it = seen();
    if (it === null) return;
    const sizes = new ResizeObserver(([entry]) => {
      it.viewport.setPlace(entry!.contentRect);
      it.look();
    });
    sizes.observe(place.current!);
    const end = followPointers(place.current!, it.viewport, it.look);
    return () => (sizes.disconnect(), end());
  }, []);
  const act = (what: (viewport: Viewport) => void) => {
    const it = seen();
    if (it === null) return;
    what(it.viewport);
    it.look();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return; // its buttons have keys of their own
    act((viewport) => moveByKey(event, viewport) && event.preventDefault());
  };
  return (
    <figure aria-label={t('diagram')} tabIndex={0} aria-keyshortcuts="+ - 0" onKeyDown={onKey}>
      <div class="drawing" ref={place} aria-hidden={children ? undefined : 'true'}>
        {children}
      </div>
      <div class="zoom" role="group" aria-label={t('zoom')}>
        <IconButton icon="minus" class="small" label={t('zoomOut')} onClick={() => act((it) => it.zoom(1 / zoomStep))} />
        <IconButton icon="plus" class="small" label={t('zoomIn')} onClick={() => act((it) => it.zoom(zoomStep))} />
        <IconButton icon="fit" class="small" label={t('zoomFit')} onClick={() => act((it) => it.fit())} />
      </div>
      <figcaption class="hidden">{words}</figcaption>
    </figure>
  );
}
