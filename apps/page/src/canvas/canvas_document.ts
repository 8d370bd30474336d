// The diagram behind the drawing: the cells of draw.io XML, in their order.
import { labelText } from './labels.ts';
import { readXml, writeXml, type XmlElement } from './xml.ts';

/** The elements of all cells by their ids. Never changed in place. */
export type Diagram = ReadonlyMap<string, XmlElement>;

/** Why a diagram cannot be shown, in words for the model. */
export class DiagramError extends Error {}

const mostCells = 2000;

/** Reads cells alone, `<root>`, `<mxGraphModel>` or `<mxfile>`, and checks them. */
export function readDiagram(xml: string): Diagram {
  return checked(diagramOf(cellsIn(readXml(xml.trim()))));
}

/** Reads as many whole cells as a text that is still being written begins with. */
export function readPrefix(xml: string): Diagram {
  const begin = xml.search(/<(mxCell|UserObject|object)\b/);
  const ends = [xml.lastIndexOf('</mxCell>') + 9, xml.lastIndexOf('/>') + 2];
  if (begin < 0) return new Map();
  const cells = withoutOpenCell(xml.slice(begin, Math.max(...ends)));
  try {
    const all = diagramOf(readXml(cells).filter(isCell));
    return new Map([...all].filter(([, each]) => isPlaced(each, all)));
  } catch {
    return new Map();
  }
}

/** Returns one element that is a cell. */
export function readCell(xml: string): XmlElement {
  const found = readXml(xml.trim());
  if (found.length !== 1 || !isCell(found[0]!))
    throw new DiagramError('new_xml must be one mxCell element.');
  return found[0]!;
}

/** Returns the diagram if it can be drawn; throws with all ids that are in the way. */
export function checked(diagram: Diagram): Diagram {
  if (diagram.size > mostCells)
    throw new DiagramError(`The diagram has ${diagram.size} cells; at most ${mostCells} are drawn.`);
  if (![...diagram.values()].some((each) => isVertex(each) || isEdge(each)))
    throw new DiagramError('The XML has no mxCell with vertex="1" or edge="1".');
  const lost: string[] = [];
  for (const [id, each] of diagram)
    for (const name of ['parent', 'source', 'target']) {
      const to = cellOf(each).attributes[name];
      if (to !== undefined && to !== '' && (!diagram.has(to) || to === id)) lost.push(`${name} "${to}" of "${id}"`);
    }
  if (lost.length > 0) throw new DiagramError(`These cells do not exist: ${lost.slice(0, 20).join(', ')}.`);
  return diagram;
}

/** Writes the diagram as a file that draw.io opens. */
export function writeDiagram(diagram: Diagram): string {
  const cells = [...diagram.values()].map(writeXml).join('\n');
  return `<mxfile><diagram name="Page-1"><mxGraphModel><root>\n${cells}\n</root></mxGraphModel></diagram></mxfile>\n`;
}

/** The mxCell of an element: itself, or the one in a UserObject. */
export const cellOf = (element: XmlElement): XmlElement =>
  element.name === 'mxCell' ? element : (element.children.find((each) => each.name === 'mxCell') ?? element);

export const labelOf = (element: XmlElement): string =>
  labelText(element.attributes['label'] ?? cellOf(element).attributes['value'] ?? '');
export const isVertex = (element: XmlElement): boolean => cellOf(element).attributes['vertex'] === '1';
export const isEdge = (element: XmlElement): boolean => cellOf(element).attributes['edge'] === '1';

/** Whether a cell is what every diagram stands on; models give these ids to shapes, too. */
export const isGround = (id: string, element: XmlElement): boolean =>
  (id === '0' || id === '1') && !isVertex(element) && !isEdge(element);

/** What the model is told about a diagram that is shown. */
export function summaryOf(diagram: Diagram): string {
  const all = [...diagram.values()];
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
  return `Diagram shown: ${count(all.filter(isVertex).length, 'shape')}, ${count(all.filter(isEdge).length, 'connection')}.`;
}

function cellsIn(top: XmlElement[]): XmlElement[] {
  const [first] = top;
  if (first === undefined) throw new DiagramError('The XML is empty.');
  if (isCell(first)) return top.filter(isCell);
  if (first.name === 'root') return first.children.filter(isCell);
  const inner = first.children.find((each) => ['diagram', 'mxGraphModel', 'root'].includes(each.name));
  if (['mxfile', 'diagram', 'mxGraphModel'].includes(first.name) && inner) return cellsIn([inner]);
  if (first.name === 'diagram' && first.text !== '')
    throw new DiagramError('The diagram is compressed; send plain mxCell elements.');
  throw new DiagramError(`<${first.name}> is no diagram; send mxCell elements, or a root or mxGraphModel of them.`);
}

function diagramOf(cells: XmlElement[]): Diagram {
  const all = new Map<string, XmlElement>();
  const twice: string[] = [];
  if (!cells.some((each) => each.attributes['id'] === '0')) all.set('0', plain('0'));
  if (!cells.some((each) => each.attributes['id'] === '1')) all.set('1', plain('1', '0'));
  const layer = layerIn(cells.find((each) => each.attributes['id'] === '1'));
  cells.forEach((each, index) => {
    const id = each.attributes['id'] ?? cellOf(each).attributes['id'] ?? `cell-${index}`;
    if (all.has(id)) twice.push(id);
    all.set(id, placed(id, each, layer));
  });
  if (twice.length > 0) throw new DiagramError(`These ids are there more than once: ${twice.join(', ')}.`);
  return all;
}

/** Where cells stand that name no parent: in cell 1, unless that is a shape. */
export const layerIn = (one: XmlElement | undefined): string => (one && !isGround('1', one) ? '0' : '1');

/** A cell that names no parent stands in the layer that is always there. */
export function placed(id: string, element: XmlElement, layer = '1'): XmlElement {
  const cell = cellOf(element);
  if (id === '0' || cell.attributes['parent']) return named(id, element);
  const made = { ...cell, attributes: { ...cell.attributes, parent: id === '1' ? '0' : layer } };
  if (cell === element) return named(id, made);
  return named(id, { ...element, children: element.children.map((e) => (e === cell ? made : e)) });
}

const named = (id: string, of: XmlElement) => ({ ...of, attributes: { ...of.attributes, id } });
const isCell = (of: XmlElement) => ['mxCell', 'UserObject', 'object'].includes(of.name);
const plain = (id: string, parent?: string): XmlElement => ({
  name: 'mxCell',
  attributes: parent === undefined ? { id } : { id, parent },
  children: [],
  text: '',
});

function isPlaced(of: XmlElement, all: Diagram): boolean {
  const { parent, source, target } = cellOf(of).attributes;
  return [parent, source, target].every((id) => id === undefined || id === '' || all.has(id));
}

/** Drops a cell at the end whose element is not closed. */
function withoutOpenCell(text: string): string {
  const last = Math.max(text.lastIndexOf('<mxCell'), text.lastIndexOf('<UserObject'), text.lastIndexOf('<object'));
  const rest = text.slice(last);
  const closed = /^<\w+[^<>]*\/>/.test(rest) || /<\/(mxCell|UserObject|object)>\s*$/.test(rest);
  return closed ? text : text.slice(0, last);
}
