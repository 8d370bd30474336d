// What maxGraph is told of one cell of a diagram.
import { Cell, Geometry, Point } from '@maxgraph/core';
import { cellOf, isEdge, isVertex, labelOf } from './canvas_document.ts';
import { readStyle, type Style } from './cell_style.ts';
import { widthOf, wrapped } from './labels.ts';
import type { XmlElement } from './xml.ts';

export const fontSize = 12;

export interface CellContent {
  value: string;
  style: Style;
  geometry: Geometry;
}

/** Returns an element's label, style and place; the label's lines are as wide as its shape. */
export function contentOf(element: XmlElement): CellContent {
  const cell = cellOf(element);
  const edge = isEdge(element);
  const style = readStyle(cell.attributes['style'] ?? '', edge);
  const geometry = geometryOf(cell);
  const value = labelOf(element);
  if (edge) {
    geometry.relative = true;
    return { value, style, geometry };
  }
  if (!isVertex(element)) return { value: '', style: { fillColor: 'none', strokeColor: 'none' }, geometry: new Geometry() }; // a layer
  const size = Number(style['fontSize'] ?? fontSize);
  const room = geometry.width > 0 ? geometry.width - 8 : widthOf(value) * size + 8;
  return { value: wrapped(value, room, size), style, geometry };
}

/** Makes a cell that is in no graph yet. */
export function makeCell(id: string, element: XmlElement): Cell {
  const { value, style, geometry } = contentOf(element);
  const made = new Cell(value, geometry, style);
  made.setId(id);
  if (isEdge(element)) made.setEdge(true);
  else made.setVertex(true);
  return made;
}

/** Whether two elements say the same. */
export function same(a: XmlElement, b: XmlElement): boolean {
  if (a === b) return true;
  if (a.name !== b.name || a.text !== b.text || a.children.length !== b.children.length) return false;
  const names = Object.keys(a.attributes);
  return (
    names.length === Object.keys(b.attributes).length &&
    names.every((name) => a.attributes[name] === b.attributes[name]) &&
    a.children.every((each, at) => same(each, b.children[at]!))
  );
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
