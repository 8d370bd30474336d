// The line between a chat and its canvas, which its reader may move.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { readJson, writeJson } from '../state/settings.ts';

const name = 'troupe.canvas-width';
const least = 30; // per cent of what the chat and the canvas have together
const most = 70;
const standard = 48;
const step = 4;

const inside = (width: number): number => Math.round(Math.max(least, Math.min(most, width)));

/** Returns what a key makes of a width, or nothing for keys that do not move the line. */
function widthAfter(key: string, width: number): number | undefined {
  if (key === 'ArrowLeft') return inside(width + step);
  if (key === 'ArrowRight') return inside(width - step);
  if (key === 'Home') return most; // the line goes to the beginning
  if (key === 'End') return least;
  if (key === 'Enter') return standard;
  return undefined;
}

/** Stands in the canvas, whose width it sets and has the browser keep. */
export function Splitter({ canvas }: { canvas: string }) {
  const line = useRef<HTMLDivElement>(null);
  const held = useRef(false);
  const [width, setWidth] = useState(() => inside(Number(readJson<number>(name) ?? standard) || standard));
  useLayoutEffect(() => {
    line.current!.parentElement!.style.setProperty('--canvas-width', `${width}%`);
  }, [width]);
  const keep = (next: number) => {
    setWidth(next);
    writeJson(name, next);
  };
  const onKey = (event: KeyboardEvent) => {
    const next = widthAfter(event.key, width);
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keep(next);
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    line.current!.setPointerCapture(event.pointerId);
    held.current = true;
  };
  const onMove = (event: PointerEvent) => {
    if (!held.current) return;
    const { left, right } = line.current!.parentElement!.parentElement!.getBoundingClientRect();
    setWidth(inside(((right - event.clientX) / (right - left)) * 100));
  };
  const onUp = () => {
    held.current = false;
    keep(width);
  };
  return (
    <div
      ref={line}
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('canvasWidth')}
      aria-controls={canvas}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={width}
      aria-valuetext={`${width} %`}
      onKeyDown={onKey}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onUp}
      onDblClick={() => keep(standard)}
    />
  );
}
