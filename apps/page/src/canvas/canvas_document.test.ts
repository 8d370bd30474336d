import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternativeOf } from './alternative.ts';
import { labelOf, readDiagram, readPrefix, summaryOf, writeDiagram } from './canvas_document.ts';
import { applyOperations, emptyDiagram, readOperations } from './operations.ts';

const box = (id: string, value: string, more = '') =>
  `<mxCell id="${id}" value="${value}" style="rounded=1" vertex="1" parent="1" ${more}><mxGeometry x="10" y="10" width="80" height="40" as="geometry"/></mxCell>`;
const edge = (id: string, from: string, to: string, value = '') =>
  `<mxCell id="${id}" value="${value}" edge="1" parent="1" source="${from}" target="${to}"><mxGeometry relative="1" as="geometry"/></mxCell>`;
const two = box('a', 'Start') + box('b', 'End') + edge('e', 'a', 'b', 'goes');
const ground = '<mxCell id="0"/><mxCell id="1" parent="0"/>';

test('cells alone, a root, a model and a file are the same diagram', () => {
  const forms = [
    two,
    ground + two,
    `<root>${ground}${two}</root>`,
    `<mxGraphModel dx="1"><root>${ground}${two}</root></mxGraphModel>`,
    `<?xml version="1.0"?><mxfile><diagram id="x" name="P"><mxGraphModel><root>${ground}${two}</root></mxGraphModel></diagram></mxfile>`,
    `\n  <root>\n${two}<!-- a note -->\n</root>\n`,
  ];
  for (const form of forms) {
    const diagram = readDiagram(form);
    assert.deepEqual([...diagram.keys()].sort(), ['0', '1', 'a', 'b', 'e'], form);
    assert.equal(summaryOf(diagram), 'Diagram shown: 2 shapes, 1 connection.');
  }
});

test('what is written is read again', () => {
  const first = readDiagram(box('a', 'x &lt;b&gt; &amp;amp; &quot;q&quot;&#10;y') + box('b', '中文'));
  assert.deepEqual([...readDiagram(writeDiagram(first)).values()], [...first.values()]);
});

test('labels lose their HTML and keep their lines', () => {
  const label = (value: string) => labelOf(readDiagram(box('a', value)).get('a')!);
  assert.equal(label('&lt;b&gt;one&lt;/b&gt;&lt;br&gt;two'), 'one\ntwo');
  assert.equal(label('&lt;img src=x onerror=alert(1)&gt;text'), 'text');
  assert.equal(label('&lt;script&gt;alert(1)&lt;/script&gt;text'), 'text');
  assert.equal(label('a &amp;amp; b &amp;lt; c'), 'a & b < c');
  assert.equal(label('1 &lt; 2'), '1 < 2');
});

test('a UserObject has its label and its cell', () => {
  const diagram = readDiagram(
    '<UserObject id="u" label="Named" link="https://example.org"><mxCell vertex="1" parent="1"><mxGeometry width="1" height="1" as="geometry"/></mxCell></UserObject>',
  );
  assert.equal(labelOf(diagram.get('u')!), 'Named');
  assert.equal(summaryOf(diagram), 'Diagram shown: 1 shape, 0 connections.');
});

const refused: [string, RegExp][] = [
  ['', /empty/],
  ['<mxCell id="a" vertex="1"', /line 1, column 1.*not complete/],
  [`${two}<mxCell id="x" vertex="1">`, /<mxCell> is not closed/],
  ['<root><mxCell id="a" vertex="1"/></mxfile>', /<\/mxfile> closes <root>/],
  [box('a', 'x') + box('a', 'y'), /more than once: a/],
  [box('a', 'x') + edge('e', 'a', 'gone'), /do not exist: target "gone" of "e"/],
  [`<mxCell id="a" vertex="1" parent="lost"/>`, /parent "lost" of "a"/],
  [`<mxCell id="a" vertex="1" parent="a"/>`, /parent "a" of "a"/],
  [ground, /no mxCell with vertex/],
  ['<svg/>', /<svg> is no diagram/],
  ['<mxfile><diagram>7VhbU+M2</diagram></mxfile>', /compressed/],
  ['hello', /text beside/],
  [`<mxCell id="a" value="x & y" vertex="1"/>`, /no entity; write & as &amp;/],
  [`<mxCell id="a" value="x < y" vertex="1"/>`, /write < as &lt;/],
  [`<mxCell id="a" id="b" vertex="1"/>`, /attribute id is there twice/],
  [Array.from({ length: 2001 }, (_, i) => `<mxCell id="c${i}" vertex="1" parent="1"/>`).join(''), /at most 2000/],
];

test('what cannot be drawn is refused with reason, place and ids', () => {
  for (const [xml, reason] of refused) assert.throws(() => readDiagram(xml), reason, xml.slice(0, 60));
});

test('every beginning of a diagram gives its whole cells and no error', () => {
  const xml = `<root>${ground}${two}</root>`;
  let most = 0;
  for (let n = 0; n <= xml.length; ++n) {
    const found = readPrefix(xml.slice(0, n));
    const count = [...found.keys()].filter((id) => id !== '0' && id !== '1').length;
    assert.ok(count >= most, `at ${n}`);
    most = count;
  }
  assert.equal(most, 3);
});

test('operations change, add and delete cells by their ids', () => {
  const before = readDiagram(two);
  const after = applyOperations(before, [
    { operation: 'update', cell_id: 'a', new_xml: box('a', 'Begin') },
    { operation: 'add', cell_id: 'c', new_xml: box('c', 'More') },
    { operation: 'add', cell_id: 'f', new_xml: edge('f', 'b', 'c') },
  ]);
  assert.equal(summaryOf(after), 'Diagram shown: 3 shapes, 2 connections.');
  assert.deepEqual(alternativeOf(after, 'unnamed', 'to'), ['Begin', 'End', 'More', 'Begin to End: goes', 'End to More']);
  assert.equal(labelOf(before.get('a')!), 'Start', 'the old diagram stays');
});

test('a deleted cell takes what is in it and the edges at it along', () => {
  const inner = '<mxCell id="i" value="in" vertex="1" parent="a"/>';
  const after = applyOperations(readDiagram(two + inner + edge('g', 'i', 'b')), [{ operation: 'delete', cell_id: 'a' }]);
  assert.deepEqual([...after.keys()], ['0', '1', 'b']);
});

test('an empty canvas takes an edit, and all cells can be deleted', () => {
  const one = applyOperations(emptyDiagram(), [{ operation: 'add', cell_id: 'a', new_xml: box('a', 'x') }]);
  assert.equal(summaryOf(one), 'Diagram shown: 1 shape, 0 connections.');
  assert.equal(applyOperations(one, [{ operation: 'delete', cell_id: 'a' }]).size, 2);
});

const badOperations: [unknown, RegExp][] = [
  [{ edits: [{ search: 'a', replace: 'b' }] }, /search and replace are not supported/],
  [{}, /at least one operation/],
  [{ operations: [{ operation: 'move', cell_id: 'a' }] }, /operations\[0\]\.operation must be/],
  [{ operations: [{ operation: 'delete' }] }, /operations\[0\]\.cell_id/],
  [{ operations: [{ operation: 'add', cell_id: 'z' }] }, /operations\[0\]\.new_xml/],
  [{ operations: [{ operation: 'delete', cell_id: 'z' }] }, /no cell "z" to delete; there are: a, b, e/],
  [{ operations: [{ operation: 'add', cell_id: 'a', new_xml: box('a', '') }] }, /"a" already/],
  [{ operations: [{ operation: 'update', cell_id: 'a', new_xml: box('b', '') }] }, /has the id "b", but cell_id is "a"/],
  [{ operations: [{ operation: 'update', cell_id: 'a', new_xml: '<x/>' }] }, /one mxCell element/],
  [{ operations: [{ operation: 'delete', cell_id: '1' }] }, /ground/],
  [{ operations: [{ operation: 'add', cell_id: 'n', new_xml: edge('n', 'a', 'gone') }] }, /target "gone"/],
];

test('operations that cannot be done are refused, and none of them is done', () => {
  for (const [input, reason] of badOperations)
    assert.throws(() => applyOperations(readDiagram(two), readOperations(input)), reason);
});

test('shapes may be numbered from 1, and then stand in the ground', () => {
  const diagram = readDiagram('<mxCell id="1" value="One" vertex="1"/><mxCell id="2" value="Two" vertex="1"/>' + edge('3', '1', '2').replace('parent="1" ', ''));
  assert.equal(summaryOf(diagram), 'Diagram shown: 2 shapes, 1 connection.');
  assert.deepEqual([...diagram.values()].map((each) => each.attributes['parent']), [undefined, '0', '0', '0']);
  const after = applyOperations(diagram, [{ operation: 'delete', cell_id: '1' }]);
  assert.deepEqual([...after.keys()], ['0', '2']);
});
