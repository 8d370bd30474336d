// A reader for the little XML that diagrams are made of. It says where a text is wrong, and it is
// no DOM: nothing is loaded, run or reported to the page's policy while it reads.

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[]; // texts among them are called "#text", blank ones are left out
  text: string; // of this element alone
}

export const textName = '#text';

/** What is wrong with a text, and where. */
class XmlError extends Error {}

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' };
const token =
  /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?[^]*?\?>|<!DOCTYPE[^>[]*>|<\/([^\s<>/]+)\s*>|<([^\s<>/!?=]+)((?:\s+[^\s<>/=]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/gy;
const attribute = /([^\s<>/=]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

/** Returns the elements at the top of a text; throws an XmlError. */
export function readXml(source: string): XmlElement[] {
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  token.lastIndex = 0;
  for (let at = 0; at < source.length; at = token.lastIndex) {
    const found = token.exec(source);
    if (found === null) throw wrong(source, at, explain(source.slice(at, at + 60)));
    const here = open[open.length - 1]!;
    const [all, cdata, closes, opens, attributes, empty] = found;
    if (cdata !== undefined) addText(here, cdata);
    else if (closes !== undefined) {
      if (here === top || here.name !== closes)
        throw wrong(source, at, `</${closes}> closes <${here.name || 'nothing'}>`);
      open.pop();
    } else if (opens !== undefined) {
      const made = elementOf(opens, attributes!, source, at);
      here.children.push(made);
      if (empty === '') open.push(made);
    } else if (!all.startsWith('<')) addText(here, decoded(all, source, at));
  }
  const last = open[open.length - 1]!;
  if (last !== top) throw wrong(source, source.length, `<${last.name}> is not closed`);
  if (top.text.trim() !== '') throw wrong(source, 0, 'there is text beside the elements');
  return top.children.filter((each) => each.name !== textName);
}

/** Writes an element as text. */
export function writeXml(of: XmlElement): string {
  if (of.name === textName) return escaped(of.text);
  const attributes = Object.entries(of.attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const head = `<${of.name}${attributes.join('')}`;
  const inside = of.children.map(writeXml).join('');
  return inside === '' ? `${head}/>` : `${head}>${inside}</${of.name}>`;
}

function addText(to: XmlElement, text: string): void {
  to.text += text;
  if (text.trim() !== '') to.children.push({ name: textName, attributes: {}, children: [], text });
}

function elementOf(name: string, from: string, source: string, at: number): XmlElement {
  const attributes: Record<string, string> = {};
  for (const [, key, double, single] of from.matchAll(attribute)) {
    if (Object.hasOwn(attributes, key!)) throw wrong(source, at, `attribute ${key} is there twice`);
    attributes[key!] = decoded(double ?? single ?? '', source, at);
  }
  return { name, attributes, children: [], text: '' };
}

function decoded(text: string, source: string, at: number): string {
  return text.replace(/&([^;\s&<]*);?/g, (all, what: string) => {
    const number = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(what);
    const code = number ? parseInt(number[1] ?? number[2]!, number[1] ? 16 : 10) : 0;
    if (all.endsWith(';') && number && code > 0 && code < 0x110000) return String.fromCodePoint(code);
    if (all.endsWith(';') && Object.hasOwn(named, what)) return named[what]!;
    throw wrong(source, at, `"${all.slice(0, 20)}" is no entity; write & as &amp;`);
  });
}

const escaped = (text: string): string =>
  text.replace(/[<>&"\n]/g, (c) => (c === '\n' ? '&#10;' : `&${{ '<': 'lt', '>': 'gt', '&': 'amp', '"': 'quot' }[c]};`));

function explain(near: string): string {
  const shown = near.replace(/\s+/g, ' ').slice(0, 40);
  if (!near.includes('>')) return `the tag "${shown}" is not complete`;
  return `this is no tag: "${shown}"; in attributes write < as &lt; and " as &quot;`;
}

function wrong(source: string, at: number, reason: string): XmlError {
  const before = source.slice(0, at).split('\n');
  return new XmlError(
    `The XML is not well formed in line ${before.length}, column ${before.at(-1)!.length + 1}: ${reason}.`,
  );
}
