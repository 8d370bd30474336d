// maxGraph's shapes, measured without the document. maxGraph asks it how large each shape and each
// text is, and with every question it lays out anew all that was drawn before.
import { CellRenderer, Rectangle, TextShape, type CellState } from '@maxgraph/core';

const pen = document.createElement('canvas').getContext('2d')!;
const lineHeight = 1.2; // maxGraph's, in the size of the font

/** Makes shapes that know their size from their points, and labels that know it from their font. */
export class MeasuredRenderer extends CellRenderer {
  override defaultTextShape = MeasuredText;

  override createShape(state: CellState) {
    const made = super.createShape(state);
    // Shapes of edges set it themselves, where they are curved.
    Object.defineProperty(made, 'useSvgBoundingBox', { get: () => false, set: () => {} });
    made.pointerEvents = false; // or each line is there twice, once to be hit
    return made;
  }

  /** Nothing listens to single shapes. */
  override installListeners(): void {}
}

class MeasuredText extends TextShape {
  override ignoreStringSize = true;
  override pointerEvents = false;

  /** The bounds have the place of the text, but the size of its cell. */
  override updateBoundingBox(): void {
    const { bounds } = this;
    if (bounds === null) return;
    const { width, height } = this.measured();
    this.bounds = new Rectangle(bounds.x, bounds.y, width * this.scale, height * this.scale);
    super.updateBoundingBox();
    this.bounds = bounds;
  }

  override createSvgCanvas() {
    const canvas = super.createSvgCanvas();
    if (canvas) canvas.addTextBackground = (text) => this.addBackground(text);
    return canvas;
  }

  private addBackground(text: SVGElement): void {
    const fill = this.background ?? 'none';
    const stroke = this.border ?? 'none';
    if (fill === 'none' && stroke === 'none') return;
    this.updateBoundingBox();
    const { x, y, width, height } = (this.unrotatedBoundingBox ?? this.boundingBox)!;
    const box = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    const all = { fill, stroke, x: x - 1, y: y - 1, width: width + 2, height: height + 2 };
    for (const [name, value] of Object.entries(all)) box.setAttribute(name, String(value));
    text.prepend(box);
  }

  /** The size of the text while nothing is scaled. */
  private measured(): { width: number; height: number } {
    const weight = `${this.fontStyle & 2 ? 'italic ' : ''}${this.fontStyle & 1 ? 'bold ' : ''}`;
    pen.font = `${weight}${this.size}px ${this.family}`;
    const lines = String(this.value).split('\n');
    const width = Math.max(...lines.map((line) => pen.measureText(line.trim()).width));
    return { width, height: this.size + (lines.length - 1) * Math.round(this.size * lineHeight) };
  }
}
