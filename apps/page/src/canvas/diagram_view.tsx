// A diagram as a drawing, and in words.
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { alternativeOf } from './alternative.ts';
import type { Diagram } from './canvas_document.ts';
import { Drawing } from './drawing.ts';
import { ZoomFrame } from './zoom_frame.tsx';

interface Props {
  diagram: Diagram;
  onDrawn: ((error?: Error) => void) | undefined;
}

export function DiagramView({ diagram, onDrawn }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing>(null);
  const begun = () => (drawing.current ??= place.current && new Drawing(place.current));
  useEffect(() => () => drawing.current?.end(), []);
  useEffect(() => {
    let left = false;
    const told = (error?: Error) => !left && onDrawn?.(error);
    begun()!
      .show(diagram)
      .then((all) => all && told(), (error) => told(error instanceof Error ? error : new Error(String(error))));
    return () => void (left = true);
  }, [diagram]);
  const words = useMemo(() => alternativeOf(diagram, t('unnamed'), t('leadsTo')), [diagram]);
  return (
    <ZoomFrame
      place={place}
      seen={begun}
      words={
        <ul>
          {words.map((each, at) => (
            <li key={at}>{each}</li>
          ))}
        </ul>
      }
    />
  );
}
