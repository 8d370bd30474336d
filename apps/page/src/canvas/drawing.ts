// Draws a diagram with maxGraph: labels are SVG text, and nothing is fetched.
import {
  BaseGraph,
  Geometry,
  Point,
  registerDefaultEdgeMarkers,
  registerDefaultEdgeStyles,
  registerDefaultPerimeters,
  registerDefaultShapes,
  type Cell,
} from '@maxgraph/core';
import { cellOf, isEdge, isVertex, labelOf, type Diagram } from './canvas_document.ts';
import { readStyle } from './cell_style.ts';
import { widthOf, wrapped } from './labels.ts';
import { MeasuredRenderer } from './measured_shapes.ts';
import type { XmlElement } from './xml.ts';

const margin = 16; // pixels around the drawing
const fontSize = 12;

export class Drawing {
  private readonly graph: BaseGraph;
  private place = { width: 0, height: 0 };

  constructor(private readonly container: HTMLElement) {
    registerDefaultEdgeMarkers();
    registerDefaultEdgeStyles();
    registerDefaultPerimeters();
    registerDefaultShapes();
    this.graph = new BaseGraph({ container, plugins: [], cellRenderer: new MeasuredRenderer() });
    this.graph.setEnabled(false);
    this.graph.options.foldingEnabled = false;
    const { stylesheet } = this.graph as unknown as { stylesheet: { styles: Map<string, object> } };
    const common = { fontColor: '#1c1e21', fontSize, fontFamily: 'system-ui, sans-serif' };
    stylesheet.styles.set('defaultVertex', {
      shape: 'rectangle', perimeter: 'rectanglePerimeter', align: 'center', verticalAlign: 'middle',
      fillColor: '#ffffff', strokeColor: '#3c4043', ...common,
    });
    stylesheet.styles.set('defaultEdge', {
      shape: 'connector', endArrow: 'classic', align: 'center', verticalAlign: 'middle',
      strokeColor: '#3c4043', labelBackgroundColor: '#ffffff', ...common, fontSize: 11,
    });
  }

  /** Draws all cells in place of those before. */
  show(diagram: Diagram): void {
    this.graph.batchUpdate(() => {
      const ground = this.graph.getDefaultParent();
      this.graph.removeCells(this.graph.getChildCells(ground), true);
      const made = new Map<string, Cell>([['0', ground], ['1', ground]]);
      const add = (id: string): Cell => {
        const known = made.get(id);
        if (known) return known;
        const element = diagram.get(id)!;
        made.set(id, ground); // a circle of parents ends here
        const cell = this.insert(id, element, add(cellOf(element).attributes['parent'] ?? '1'));
        made.set(id, cell);
        return cell;
      };
      const all = [...diagram].filter(([id]) => !made.has(id));
      all.filter(([, each]) => !isEdge(each)).forEach(([id]) => add(id));
      all.filter(([, each]) => isEdge(each)).forEach(([id]) => add(id));
      for (const [id, element] of all) if (isEdge(element)) this.connect(made.get(id)!, element, made);
    });
    this.fit();
  }

  /** Makes the drawing as large as a place of so many pixels allows, but not much larger than it is. */
  fit(place: { width: number; height: number } = this.place): void {
    this.place = place;
    const { x, y, width, height } = this.graph.getGraphBounds();
    if (place.width === 0 || width === 0) return;
    const room = Math.min((place.width - 2 * margin) / width, (place.height - 2 * margin) / Math.max(1, height));
    const scale = Math.max(0.05, Math.min(1.5, room));
    const left = (place.width - width * scale) / 2 - x * scale;
    const top = Math.max(margin, (place.height - height * scale) / 2) - y * scale;
    this.graph.getView().getCanvas().setAttribute('transform', `translate(${left} ${top}) scale(${scale})`);
    this.container.classList.toggle('small', scale < 1);
  }

  end(): void {
    this.graph.destroy();
  }

  private insert(id: string, element: XmlElement, parent: Cell): Cell {
    const cell = cellOf(element);
    const edge = isEdge(element);
    const style = readStyle(cell.attributes['style'] ?? '', edge);
    const geometry = geometryOf(cell);
    const size = Number(style['fontSize'] ?? fontSize);
    const value = labelOf(element);
    if (edge) return this.graph.insertEdge({ parent, id, value, style });
    if (!isVertex(element)) {
      Object.assign(style, { fillColor: 'none', strokeColor: 'none' }); // a layer
      return this.graph.insertVertex({ parent, id, value: '', position: [0, 0], size: [0, 0], style });
    }
    const room = geometry.width > 0 ? geometry.width - 8 : widthOf(value) * size + 8;
    const made = this.graph.insertVertex({ parent, id, value: wrapped(value, room, size), style, position: [0, 0], size: [0, 0] });
    made.geometry = geometry;
    return made;
  }

  private connect(edge: Cell, element: XmlElement, made: Map<string, Cell>): void {
    const cell = cellOf(element);
    const end = (name: string) => made.get(cell.attributes[name] ?? '') ?? null;
    const model = this.graph.getDataModel();
    const geometry = geometryOf(cell);
    geometry.relative = true;
    if (geometry.width === 0) [geometry.x, geometry.y] = [geometry.x || 0, geometry.y || 0];
    edge.geometry = geometry;
    model.setTerminals(edge, end('source'), end('target'));
  }
}

function geometryOf(cell: XmlElement): Geometry {
  const of = cell.children.find((each) => each.name === 'mxGeometry');
  const n = (from: XmlElement | undefined, name: string) => {
    const value = Number(from?.attributes[name] ?? 0);
    return Number.isFinite(value) ? value : 0;
  };
  const point = (from: XmlElement) => new Point(n(from, 'x'), n(from, 'y'));
  const made = new Geometry(n(of, 'x'), n(of, 'y'), Math.max(0, n(of, 'width')), Math.max(0, n(of, 'height')));
  made.relative = of?.attributes['relative'] === '1';
  for (const each of of?.children ?? []) {
    if (each.name === 'Array') made.points = each.children.map(point);
    else if (each.attributes['as'] === 'sourcePoint') made.sourcePoint = point(each);
    else if (each.attributes['as'] === 'targetPoint') made.targetPoint = point(each);
    else if (each.attributes['as'] === 'offset') made.offset = point(each);
  }
  return made;
}
