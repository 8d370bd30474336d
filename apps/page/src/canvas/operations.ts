// Changes of a diagram by ids: all of them, or none.
import { cellOf, checked, DiagramError, isGround, layerIn, placed, readCell, type Diagram } from './canvas_document.ts';
import type { XmlElement } from './xml.ts';

export interface Operation {
  operation: 'update' | 'add' | 'delete';
  cell_id: string;
  new_xml?: string;
}

/** Reads the argument of edit_diagram; throws what the model did wrong. */
export function readOperations(input: unknown): Operation[] {
  const { operations, edits } = (input ?? {}) as { operations?: unknown; edits?: unknown };
  if (edits !== undefined)
    throw new DiagramError('edits with search and replace are not supported; send operations with cell_id and new_xml.');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new DiagramError('operations must be a list with at least one operation.');
  operations.forEach((each: Operation, at) => {
    const where = `operations[${at}]`;
    if (!['update', 'add', 'delete'].includes(each?.operation))
      throw new DiagramError(`${where}.operation must be update, add or delete.`);
    if (typeof each.cell_id !== 'string' || each.cell_id === '')
      throw new DiagramError(`${where}.cell_id must be the id of a cell.`);
    if (each.operation !== 'delete' && typeof each.new_xml !== 'string')
      throw new DiagramError(`${where}.new_xml must be the new mxCell element.`);
  });
  return operations as Operation[];
}

/** Returns the diagram with all operations done in their order; throws if one cannot be done. */
export function applyOperations(diagram: Diagram, operations: Operation[]): Diagram {
  const all = new Map(diagram);
  const ids = () => [...all].filter(([id, each]) => !isGround(id, each)).slice(0, 50).map(([id]) => id).join(', ') || 'none';
  for (const { operation, cell_id: id, new_xml: xml } of operations) {
    if (operation !== 'add' && !all.has(id))
      throw new DiagramError(`There is no cell "${id}" to ${operation}; there are: ${ids()}.`);
    if (operation === 'add' && all.has(id)) throw new DiagramError(`There is a cell "${id}" already.`);
    if (operation === 'delete') remove(all, id);
    else all.set(id, placed(id, ownCell(id, xml!), layerIn(all.get('1'))));
  }
  return onlyRoots(all) ? all : checked(all);
}

/** The cells that every diagram has, for an edit of an empty canvas. */
export const emptyDiagram = (): Diagram =>
  new Map([
    ['0', placed('0', { name: 'mxCell', attributes: { id: '0' }, children: [], text: '' })],
    ['1', placed('1', { name: 'mxCell', attributes: { id: '1' }, children: [], text: '' })],
  ]);

function ownCell(id: string, xml: string): XmlElement {
  const cell = readCell(xml);
  const own = cell.attributes['id'] ?? cellOf(cell).attributes['id'];
  if (own !== undefined && own !== id)
    throw new DiagramError(`new_xml has the id "${own}", but cell_id is "${id}".`);
  return cell;
}

/** Takes a cell out, with all that is in it and the edges at any of these. */
function remove(all: Map<string, XmlElement>, id: string): void {
  if (isGround(id, all.get(id)!)) throw new DiagramError(`Cell "${id}" is the ground of the diagram and stays.`);
  all.delete(id);
  for (const [other, each] of [...all]) {
    const { parent, source, target } = cellOf(each).attributes;
    if (all.has(other) && [parent, source, target].includes(id)) remove(all, other);
  }
}

const onlyRoots = (all: Diagram) => [...all].every(([id, each]) => isGround(id, each));
