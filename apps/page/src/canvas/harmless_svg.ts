// What of a model's SVG is drawn at all: shapes, texts and colours. Whatever could run or load
// something is left out before a browser's parser sees it, which would report it to the page's policy.
import { textName, type XmlElement } from './xml.ts';

const elements = new Set(
  ('svg g defs symbol title desc rect circle ellipse line polyline polygon path text tspan textPath ' +
    'linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix ' +
    'feComposite feDropShadow feFlood feGaussianBlur feMerge feMergeNode feMorphology feOffset ' +
    'feTurbulence').split(' '),
);

/** Returns the element without what is not drawn, or nothing if that is all of it. */
export function harmless(of: XmlElement): XmlElement | undefined {
  if (of.name === textName) return of;
  if (of.name === 'a') return harmless({ ...of, name: 'g' });
  if (!elements.has(of.name)) return undefined;
  const attributes: Record<string, string> = {};
  for (const [name, value] of Object.entries(of.attributes)) {
    if (name === 'style') Object.assign(attributes, declarations(value));
    else if (isHarmless(name, value)) attributes[name] = value;
  }
  const children = of.children.map(harmless).filter((each) => each !== undefined);
  return { ...of, attributes, children };
}

/** Styles become attributes of their own: the page's policy allows no style in a text. */
function declarations(style: string): Record<string, string> {
  const found = style.split(';').map((each) => each.split(':').map((part) => part.trim()));
  return Object.fromEntries(
    found.filter(([name, value]) => /^[a-z-]+$/.test(name ?? '') && value && isHarmless(name!, value)),
  );
}

function isHarmless(name: string, value: string): boolean {
  if (/^on|^style$/i.test(name)) return false;
  if (/href$/i.test(name)) return value.startsWith('#');
  if (name.startsWith('xmlns')) return true;
  return !/url\(\s*['"]?(?!#)|javascript:|expression\(|@import/i.test(value);
}
