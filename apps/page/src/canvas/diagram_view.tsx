// A diagram as a drawing, and in words.
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { alternativeOf } from './alternative.ts';
import type { Diagram } from './canvas_document.ts';
import { Drawing } from './drawing.ts';

interface Props {
  diagram: Diagram;
  onDrawn: ((error?: Error) => void) | undefined;
}

export function DiagramView({ diagram, onDrawn }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  useEffect(() => {
    drawing.current = new Drawing(place.current!);
    const sizes = new ResizeObserver(([place]) => drawing.current?.fit(place!.contentRect));
    sizes.observe(place.current!);
    return () => {
      sizes.disconnect();
      drawing.current?.end();
    };
  }, []);
  useEffect(() => {
    try {
      drawing.current!.show(diagram);
      onDrawn?.();
    } catch (error) {
      onDrawn?.(error instanceof Error ? error : new Error(String(error)));
    }
  }, [diagram]);
  return (
    <figure aria-label={t('diagram')}>
      <div class="drawing" ref={place} aria-hidden="true" />
      <figcaption class="hidden">
        <ul>
          {alternativeOf(diagram, t('unnamed'), t('leadsTo')).map((each, at) => (
            <li key={at}>{each}</li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
