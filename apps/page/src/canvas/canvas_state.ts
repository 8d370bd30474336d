// What stands on a chat's canvas, and what stood there before.
import type { UIMessage } from 'ai';
import { createStore } from '../state/store.ts';
import { DiagramError, readDiagram, readPrefix, summaryOf, type Diagram } from './canvas_document.ts';
import { applyOperations, emptyDiagram, readOperations } from './operations.ts';
import { partialText } from './partial_json.ts';
import { readXml } from './xml.ts';

export type Picture = { kind: 'diagram'; diagram: Diagram } | { kind: 'svg'; svg: string };

export interface CanvasView {
  open: boolean;
  picture: Picture | null;
  preview: Diagram | null; // of a call whose arguments are still coming
  before: Picture[];
}

const slowest = 5000; // ms; a picture that is not drawn then is no error of the model
const previewEvery = 200; // ms
const previewShare = 10; // times as long as a preview takes nothing is previewed
const mostUndone = 50; // pictures

export class CanvasState {
  readonly view = createStore<CanvasView>({ open: false, picture: null, preview: null, before: [] });
  private drawn: ((error?: Error) => void) | undefined;
  private coming = { id: '', name: '', json: '', next: 0 };
  private due: ReturnType<typeof setTimeout> | undefined; // when the preview is drawn next

  /** Runs one call; resolves with what the model is told, rejects with what it did wrong. */
  async run(tool: string, input: unknown, callId: string): Promise<string> {
    if (this.coming.id === callId) this.endPreview();
    const picture = this.after(tool, input);
    this.onDrawn(); // the one before is replaced, drawn or not
    this.show(picture);
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(resolve, slowest);
      this.drawn = (error) => {
        clearTimeout(late);
        if (error) reject(error);
        else resolve();
      };
    });
    return picture.kind === 'diagram' ? summaryOf(picture.diagram) : 'Drawing shown.';
  }

  /** The view has drawn the picture, or cannot. */
  onDrawn(error?: Error): void {
    this.drawn?.(error);
    this.drawn = undefined;
  }

  /** Puts back what the calls of kept messages have drawn. */
  rebuild(messages: UIMessage[]): void {
    let before: Picture[] = [];
    const old = this.view.get();
    this.view.set({ ...old, picture: null, preview: null, before: [] });
    for (const part of messages.flatMap((each) => each.parts)) {
      if (!part.type.startsWith('tool-') || !('state' in part)) continue;
      if (part.state !== 'output-available' || !('input' in part)) continue;
      try {
        const picture = this.after(part.type.slice(5), part.input);
        const { picture: now } = this.view.get();
        before = withOne(before, now);
        this.view.patch({ picture, before });
      } catch {
        // It was drawn once by another version of the page.
      }
    }
    const { picture } = this.view.get();
    this.view.patch({ open: picture !== null && (old.open || old.picture === null) });
  }

  begin(callId: string, name: string): void {
    this.coming = { id: callId, name, json: '', next: 0 };
  }

  /** Takes a piece of a call's arguments, and now and then draws what there is. */
  preview(callId: string, delta: string): void {
    const { coming } = this;
    if (coming.id !== callId || coming.name !== 'display_diagram') return;
    coming.json += delta;
    this.due ??= setTimeout(() => this.drawPreview(), Math.max(0, coming.next - performance.now()));
  }

  endPreview(): void {
    clearTimeout(this.due);
    this.due = undefined;
    this.coming = { id: '', name: '', json: '', next: 0 };
    if (this.view.get().preview !== null) this.view.patch({ preview: null });
  }

  private drawPreview(): void {
    this.due = undefined;
    const begin = performance.now();
    const preview = readPrefix(partialText(this.coming.json, 'xml'));
    const { open, preview: before } = this.view.get();
    if (preview.size > 2) this.view.patch({ preview, open: open || before === null }); // it may be closed meanwhile
    const end = performance.now(); // a long text is read more rarely
    this.coming.next = end + Math.max(previewEvery, previewShare * (end - begin));
  }

  undo(): void {
    const { before } = this.view.get();
    if (before.length > 0) this.view.patch({ picture: before.at(-1)!, before: before.slice(0, -1) });
  }

  setOpen = (open: boolean): void => this.view.patch({ open });

  private show(picture: Picture): void {
    const { picture: old, before } = this.view.get();
    this.view.set({ open: true, picture, preview: null, before: withOne(before, old) });
  }

  private after(tool: string, input: unknown): Picture {
    const given = (input ?? {}) as { xml?: unknown; svg?: unknown };
    const { picture } = this.view.get();
    if (tool === 'display_diagram') return { kind: 'diagram', diagram: readDiagram(textIn(given.xml, 'xml')) };
    if (tool === 'display_svg') return { kind: 'svg', svg: checkedSvg(textIn(given.svg, 'svg')) };
    const old = picture?.kind === 'diagram' ? picture.diagram : emptyDiagram();
    return { kind: 'diagram', diagram: applyOperations(old, readOperations(input)) };
  }
}

/** The pictures before one, the newest last. */
const withOne = (before: Picture[], one: Picture | null): Picture[] =>
  one === null ? before : [...before, one].slice(-mostUndone);

function textIn(value: unknown, name: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw new DiagramError(`${name} must be a text that is not empty.`);
  return value;
}

function checkedSvg(svg: string): string {
  const top = readXml(svg.trim());
  if (top.length !== 1 || top[0]!.name !== 'svg') throw new DiagramError('svg must be one svg element.');
  return svg;
}
