// A diagram in words, for who does not see it and for tests.
import { cellOf, isEdge, isVertex, labelOf, type Diagram } from './canvas_document.ts';

/** Returns one line for each shape with a label, then one for each connection. */
export function alternativeOf(diagram: Diagram, unnamed: string, to: string): string[] {
  const name = (id: string | undefined) => {
    const cell = id === undefined ? undefined : diagram.get(id);
    return ((cell && labelOf(cell)) || unnamed).replace(/\n/g, ' ');
  };
  const all = [...diagram.values()];
  const shapes = all.filter((each) => isVertex(each) && labelOf(each) !== '');
  const edges = all.filter(isEdge).map((each) => {
    const { source, target } = cellOf(each).attributes;
    const label = labelOf(each);
    return `${name(source)} ${to} ${name(target)}${label === '' ? '' : `: ${label}`}`;
  });
  return [...shapes.map((each) => labelOf(each).replace(/\n/g, ' ')), ...edges];
}
