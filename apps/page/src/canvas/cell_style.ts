// draw.io's styles as maxGraph's: "rounded=1;fillColor=#fff" as an object, and only what is known.

export type Style = Record<string, string | number | boolean>;

const colours = ['fillColor', 'strokeColor', 'fontColor', 'gradientColor', 'labelBackgroundColor', 'labelBorderColor'];
const numbers = [
  'fontSize', 'fontStyle', 'strokeWidth', 'opacity', 'fillOpacity', 'textOpacity', 'arcSize', 'startSize', 'endSize',
  'rotation', 'spacing', 'spacingTop', 'spacingLeft', 'spacingRight', 'spacingBottom', 'exitX', 'exitY', 'entryX',
  'entryY', 'exitDx', 'exitDy', 'entryDx', 'entryDy', 'perimeterSpacing', 'jettySize', 'segment',
];
const flags = ['rounded', 'dashed', 'curved', 'horizontal', 'shadow', 'startFill', 'endFill', 'exitPerimeter', 'entryPerimeter', 'flipH', 'flipV'];
const words = ['align', 'verticalAlign', 'labelPosition', 'verticalLabelPosition', 'direction', 'startArrow', 'endArrow', 'elbow', 'gradientDirection'];
const edgeStyles = [
  'elbowEdgeStyle', 'entityRelationEdgeStyle', 'loopEdgeStyle', 'orthogonalEdgeStyle', 'segmentEdgeStyle',
  'sideToSideEdgeStyle', 'topToBottomEdgeStyle',
];

/** Shapes that are drawn, by the names that draw.io gives them; all others are boxes. */
const shapes: Record<string, string> = {
  rectangle: 'rectangle', ellipse: 'ellipse', doubleEllipse: 'doubleEllipse', rhombus: 'rhombus', triangle: 'triangle',
  hexagon: 'hexagon', cylinder: 'cylinder', cylinder2: 'cylinder', cylinder3: 'cylinder', datastore: 'cylinder',
  cloud: 'cloud', actor: 'actor', umlActor: 'actor', swimlane: 'swimlane', line: 'line', decision: 'rhombus',
};

const perimeters: Record<string, string> = {
  ellipse: 'ellipsePerimeter', doubleEllipse: 'ellipsePerimeter', rhombus: 'rhombusPerimeter',
  triangle: 'trianglePerimeter', hexagon: 'hexagonPerimeter',
};

/** Reads a style; what could load something or is not known is dropped. */
export function readStyle(text: string, edge: boolean): Style {
  const out: Style = {};
  for (const piece of text.split(';')) {
    const at = piece.indexOf('=');
    const name = (at < 0 ? piece : piece.slice(0, at)).trim();
    if (at < 0) Object.assign(out, named(name, edge));
    else assign(out, name, piece.slice(at + 1).trim(), edge);
  }
  return out;
}

function assign(out: Style, name: string, value: string, edge: boolean): void {
  if (colours.includes(name)) {
    const colour = colourOf(value);
    if (colour !== undefined) out[name] = colour;
  } else if (numbers.includes(name) && Number.isFinite(Number(value)) && value !== '') out[name] = Number(value);
  else if (flags.includes(name)) out[name] = value === '1';
  else if (words.includes(name) && /^[a-zA-Z]+$/.test(value)) out[name] = value;
  else if (name === 'edgeStyle' && edgeStyles.includes(value)) out['edgeStyle'] = value;
  else if (name === 'shape' && !edge) Object.assign(out, shape(Object.hasOwn(shapes, value) ? shapes[value]! : 'rectangle'));
}

/** A word alone: the name of a style that every draw.io file may use. */
function named(name: string, edge: boolean): Style {
  if (edge || name === '') return {};
  if (name === 'text') return { fillColor: 'none', strokeColor: 'none', align: 'left' };
  if (name === 'group') return { fillColor: 'none', strokeColor: 'none', verticalAlign: 'top' };
  if (name === 'swimlane') return { ...shape('swimlane'), startSize: 23, fontStyle: 1, verticalAlign: 'top' };
  return Object.hasOwn(shapes, name) ? shape(shapes[name]!) : {};
}

const shape = (name: string): Style => ({ shape: name, perimeter: perimeters[name] ?? 'rectanglePerimeter' });

/** Colours of draw.io may be a pair for both themes; drawings are on white here. */
function colourOf(value: string): string | undefined {
  const light = /^light-dark\(\s*([^,]+),/.exec(value)?.[1]?.trim() ?? value;
  return /^(#[0-9a-f]{3,8}|none|[a-z]{3,20}|rgba?\([\d\s.,%]+\))$/i.test(light) && light !== 'default'
    ? light
    : undefined;
}
