// Wheel, drag, pinch and keys that move a drawing or change its size.
import type { Viewport } from './viewport.ts';

export const zoomStep = 1.25;
const moveStep = 60; // pixels

interface Point {
  x: number;
  y: number;
}

/** Listens on the place of a drawing, and calls `look` after each change; returns what ends it. */
export function followPointers(place: HTMLElement, viewport: Viewport, look: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const down = new Map<number, Point>(); // pointers, by their ids
  const at = (event: MouseEvent): Point => {
    const { left, top } = place.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey || event.metaKey) viewport.zoom(Math.exp((-event.deltaY * lines) / 300), at(event));
    else if (event.shiftKey && event.deltaX === 0) viewport.move(-event.deltaY * lines, 0);
    else viewport.move(-event.deltaX * lines, -event.deltaY * lines);
    look();
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || down.size > 1) return;
    place.setPointerCapture(event.pointerId);
    down.set(event.pointerId, at(event));
    place.classList.add('held');
  };
  const onMove = (event: PointerEvent) => {
    const before = down.get(event.pointerId);
    if (before === undefined) return;
    const now = at(event);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other) viewport.zoom(distance(now, other) / Math.max(1, distance(before, other)), other);
    else viewport.move(now.x - before.x, now.y - before.y);
    down.set(event.pointerId, now);
    look();
  };
  const onUp = (event: PointerEvent) => {
    down.delete(event.pointerId);
    place.classList.toggle('held', down.size > 0);
  };
  place.addEventListener('wheel', onWheel, { signal, passive: false });
  place.addEventListener('pointerdown', onDown, { signal });
  place.addEventListener('pointermove', onMove, { signal });
  for (const name of ['pointerup', 'pointercancel'] as const) place.addEventListener(name, onUp, { signal });
  return () => stop.abort();
}

/** Does what a key says; returns whether it says anything. */
export function moveByKey(event: KeyboardEvent, viewport: Viewport): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === '+' || event.key === '=') viewport.zoom(zoomStep);
  else if (event.key === '-') viewport.zoom(1 / zoomStep);
  else if (event.key === '0') viewport.fit();
  else if (event.key === 'ArrowLeft') viewport.move(moveStep, 0);
  else if (event.key === 'ArrowRight') viewport.move(-moveStep, 0);
  else if (event.key === 'ArrowUp') viewport.move(0, moveStep);
  else if (event.key === 'ArrowDown') viewport.move(0, -moveStep);
  else return false;
  return true;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
