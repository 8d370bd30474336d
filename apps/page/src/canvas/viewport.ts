// Which part of a drawing is seen, and how large: all of it, until its reader looks closer.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A point of the drawing stands at `point * scale + (left, top)` of its place; in pixels. */
export interface View {
  scale: number;
  left: number;
  top: number;
}

const margin = 16; // pixels around a drawing that is seen whole
const kept = 48; // pixels of it that cannot be moved out of sight
const least = 0.05;
const most = 8;

const between = (low: number, value: number, high: number) => Math.max(low, Math.min(high, value));

/** The view of a drawing of some size in a place of some size. No document, no event. */
export class Viewport {
  private drawn: Box = { x: 0, y: 0, width: 0, height: 0 };
  private place = { width: 0, height: 0 };
  private own: View | undefined; // what the reader has chosen

  /** @param largestAtFirst how many times its own size a small drawing has until its reader zooms */
  constructor(private readonly largestAtFirst = 1.5) {}

  /** Takes the drawing's size, where nothing is scaled or moved. */
  setDrawn(drawn: Box): void {
    this.drawn = drawn;
    if (this.own) this.own = this.inSight(this.own);
  }

  /** Takes the size of the place that it is seen in. */
  setPlace(place: { width: number; height: number }): void {
    this.place = place;
    if (this.own) this.own = this.inSight(this.own);
  }

  /** Shows all of it again, also when sizes change. */
  fit(): void {
    this.own = undefined;
  }

  /** Makes it larger or smaller; the point `at` of the place, its middle by default, stays where it is. */
  zoom(factor: number, at = { x: this.place.width / 2, y: this.place.height / 2 }): void {
    const { scale, left, top } = this.view;
    const next = between(least, scale * factor, most);
    const by = next / scale;
    this.own = this.inSight({ scale: next, left: at.x - (at.x - left) * by, top: at.y - (at.y - top) * by });
  }

  /** Moves the drawing by so many pixels. */
  move(dx: number, dy: number): void {
    const { scale, left, top } = this.view;
    this.own = this.inSight({ scale, left: left + dx, top: top + dy });
  }

  get view(): View {
    return this.own ?? this.whole();
  }

  /** As large as the place allows, but not much larger than it is. */
  private whole(): View {
    const { x, y, width, height } = this.drawn;
    const { place } = this;
    const room = Math.min(
      (place.width - 2 * margin) / Math.max(1, width),
      (place.height - 2 * margin) / Math.max(1, height),
    );
    const scale = between(least, room, this.largestAtFirst);
    const left = (place.width - width * scale) / 2 - x * scale;
    const top = Math.max(margin, (place.height - height * scale) / 2) - y * scale;
    return { scale, left, top };
  }

  private inSight({ scale, left, top }: View): View {
    const { x, y, width, height } = this.drawn;
    const along = (at: number, begin: number, size: number, room: number) =>
      between(kept - (begin + size) * scale, at, room - kept - begin * scale);
    return { scale, left: along(left, x, width, this.place.width), top: along(top, y, height, this.place.height) };
  }
}
