import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStyle } from './cell_style.ts';
import { labelText, widthOf, wrapped } from './labels.ts';
import { harmless } from './harmless_svg.ts';
import { partialText } from './partial_json.ts';
import { readXml, writeXml } from './xml.ts';

test('every beginning of the arguments gives a beginning of the text', () => {
  const text = '<a b="c">\n\\ "quoted" \u00e9 中</a>';
  const json = JSON.stringify({ xml: text });
  for (let n = 0; n <= json.length; ++n) assert.ok(text.startsWith(partialText(json.slice(0, n), 'xml')), `at ${n}`);
  assert.equal(partialText(json, 'xml'), text);
});

test('styles of draw.io keep what can be drawn and drop what could load something', () => {
  assert.deepEqual(readStyle('ellipse;whiteSpace=wrap;html=1;fillColor=#dae8fc;strokeColor=none;rounded=0', false), {
    shape: 'ellipse', perimeter: 'ellipsePerimeter', fillColor: '#dae8fc', strokeColor: 'none', rounded: false,
  });
  const bad = 'shape=image;image=https://example.org/a.png;link=https://example.org;fillColor=url(#x);backgroundImage=x';
  assert.deepEqual(readStyle(bad, false), { shape: 'rectangle', perimeter: 'rectanglePerimeter' });
  assert.deepEqual(readStyle('shape=constructor', false), { shape: 'rectangle', perimeter: 'rectanglePerimeter' });
  assert.deepEqual(readStyle('edgeStyle=orthogonalEdgeStyle;endArrow=block;dashed=1;exitX=0.5', true), {
    edgeStyle: 'orthogonalEdgeStyle', endArrow: 'block', dashed: true, exitX: 0.5,
  });
  assert.equal(readStyle('fillColor=light-dark(#ffffff, #121212)', false)['fillColor'], '#ffffff');
});

test('labels are broken where they are too wide, Chinese between any characters', () => {
  assert.equal(wrapped('one two three', 50, 12), 'one two\nthree');
  assert.equal(wrapped('这是一个很长的标签', 48, 12), '这是一个\n很长的标\n签');
  assert.equal(wrapped('a\nb', 500, 12), 'a\nb');
  assert.ok(widthOf('中') > widthOf('a'));
  assert.equal(labelText('a&#x4e2d;b &unknown; &#0; &constructor;'), 'a中b &unknown; &#0; &constructor;');
});

test('of an SVG only what draws is left, in its order', () => {
  const clean = (svg: string) => {
    const left = harmless(readXml(svg)[0]!);
    return left === undefined ? '' : writeXml(left);
  };
  assert.equal(
    clean('<svg><text x="1" style="fill: red; background: url(http://x/y)">a <tspan>b</tspan> c</text></svg>'),
    '<svg><text x="1" fill="red">a <tspan>b</tspan> c</text></svg>',
  );
  for (const bad of ['<script>x</script>', '<style>x</style>', '<foreignObject><p/></foreignObject>',
    '<image href="#a"/>', '<use href="http://x/y"/>', '<animate/>', '<iframe/>'])
    assert.equal(clean(`<svg>${bad}<path d="M0 0"/></svg>`), '<svg><path d="M0 0"/></svg>', bad);
  for (const bad of ['onload="x"', 'ONCLICK="x"', 'fill="url(http://x/y#a)"', 'href="http://x"', 'xlink:href="javascript:x"'])
    assert.equal(clean(`<svg><path d="M0 0" ${bad}/></svg>`), '<svg><path d="M0 0"/></svg>', bad);
  assert.equal(clean('<svg><path fill="url(#a)"/></svg>'), '<svg><path fill="url(#a)"/></svg>');
  assert.equal(clean('<script/>'), '');
});
