// Draws a diagram with maxGraph, and draws anew only what has changed.
import type { BaseGraph, Cell } from '@maxgraph/core';
import { cellOf, isEdge, isGround, type Diagram } from './canvas_document.ts';
import { makeGraph } from './graph.ts';
import { contentOf, makeCell, same } from './graph_cells.ts';
import { Viewport } from './viewport.ts';
import type { XmlElement } from './xml.ts';

const slice = 60; // cells that are drawn without a pause

interface Shown {
  element: XmlElement;
  cell: Cell;
}

export class Drawing {
  readonly viewport = new Viewport();
  private readonly graph: BaseGraph;
  private readonly shown = new Map<string, Shown>();
  private diagram: Diagram = new Map();
  private shows = 0;

  constructor(private readonly container: HTMLElement) {
    this.graph = makeGraph(container);
  }

  /**
   * Draws all cells in place of those before, in slices. Resolves with true when all is drawn, or
   * with false when another diagram took its place meanwhile; rejects if it cannot be drawn.
   */
  async show(diagram: Diagram): Promise<boolean> {
    const mine = ++this.shows;
    this.diagram = diagram;
    const all = [...diagram].filter(([id, each]) => !isGround(id, each));
    const fresh = all.filter(([id, each]) => !this.has(id, each)).map(([id]) => id);
    const order = [...fresh.filter((id) => !this.isEdge(id)), ...fresh.filter((id) => this.isEdge(id))];
    this.graph.batchUpdate(() => this.dropOthers());
    for (let at = 0; at < order.length; at += slice) {
      if (at > 0) await breath();
      if (mine !== this.shows) return false;
      this.graph.batchUpdate(() => order.slice(at, at + slice).forEach((id) => this.put(id)));
      this.look();
    }
    this.graph.batchUpdate(() => all.forEach(([id]) => this.settle(id)));
    this.look();
    return true;
  }

  /** Shows the part of the drawing that the viewport says. */
  look = (): void => {
    this.viewport.setDrawn(this.graph.getGraphBounds());
    const { scale, left, top } = this.viewport.view;
    this.graph.getView().getCanvas().setAttribute('transform', `translate(${left} ${top}) scale(${scale})`);
    this.container.classList.toggle('small', scale < 1);
  };

  end(): void {
    ++this.shows;
    this.graph.destroy();
  }

  private has(id: string, element: XmlElement): boolean {
    const known = this.shown.get(id);
    return known !== undefined && same(known.element, element);
  }

  private isEdge(id: string): boolean {
    return isEdge(this.diagram.get(id)!);
  }

  /** Takes out what the diagram does not have, and what was a shape and is an edge now. */
  private dropOthers(): void {
    for (const [id, { cell }] of [...this.shown]) {
      const now = this.diagram.get(id);
      if (now !== undefined && !isGround(id, now) && isEdge(now) === cell.isEdge()) continue;
      [...cell.edges].forEach((edge) => this.connect(edge, cell, null));
      this.graph.getDataModel().remove(cell);
      this.shown.delete(id);
    }
  }

  /** Draws one cell, after those that it stands in and leads to. */
  private put(id: string): void {
    const element = this.diagram.get(id);
    if (element === undefined || isGround(id, element) || this.has(id, element)) return;
    const known = this.shown.get(id);
    const cell = known?.cell ?? makeCell(id, element);
    this.shown.set(id, { element, cell });
    const { parent, source, target } = cellOf(element).attributes;
    [parent, source, target].forEach((each) => each && this.put(each));
    if (known) this.change(cell, element);
    this.settle(id);
  }

  private change(cell: Cell, element: XmlElement): void {
    const { value, style, geometry } = contentOf(element);
    const model = this.graph.getDataModel();
    model.setValue(cell, value);
    model.setStyle(cell, style);
    model.setGeometry(cell, geometry);
  }

  /** Has a cell stand in its parent, and an edge lead from its source to its target. */
  private settle(id: string): void {
    const known = this.shown.get(id);
    if (known === undefined) return;
    const { element, cell } = known;
    const parent = this.parentOf(id);
    if (cell.getParent() !== parent) this.graph.getDataModel().add(parent, cell);
    if (!cell.isEdge()) return;
    for (const name of ['source', 'target'] as const) {
      const end = this.shown.get(cellOf(element).attributes[name] ?? '')?.cell ?? null;
      if (cell.getTerminal(name === 'source') !== end)
        this.graph.getDataModel().setTerminal(cell, end, name === 'source');
    }
  }

  private connect(edge: Cell, from: Cell, to: Cell | null): void {
    for (const isSource of [true, false])
      if (edge.getTerminal(isSource) === from) this.graph.getDataModel().setTerminal(edge, to, isSource);
  }

  /** A circle of parents ends at the ground. */
  private parentOf(id: string): Cell {
    const parentIn = (of: string) => {
      const element = this.diagram.get(of);
      return element && (cellOf(element).attributes['parent'] ?? '');
    };
    const parent = parentIn(id) ?? '';
    const passed = new Set([id]);
    for (let at: string | undefined = parent; at; at = parentIn(at)) {
      if (passed.has(at)) return this.graph.getDefaultParent();
      passed.add(at);
    }
    return this.shown.get(parent)?.cell ?? this.graph.getDefaultParent();
  }
}

/** Lets the page do what is due. A timer would take seconds in a tab that is not seen. */
const breath = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (port1.close(), resolve());
    port2.postMessage(0);
  });
