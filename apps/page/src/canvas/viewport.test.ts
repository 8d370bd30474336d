import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Viewport } from './viewport.ts';

const drawn = { x: 100, y: 50, width: 400, height: 200 };

function made(): Viewport {
  const viewport = new Viewport();
  viewport.setDrawn(drawn);
  viewport.setPlace({ width: 232, height: 400 });
  return viewport;
}
/** Where the corners of the drawing are in its place. */
function corners({ view: { scale, left, top } }: Viewport) {
  const { x, y, width, height } = drawn;
  return [x * scale + left, y * scale + top, (x + width) * scale + left, (y + height) * scale + top].map(Math.round);
}

test('all of a drawing is seen, in the middle of its place', () => {
  assert.deepEqual(corners(made()), [16, 150, 216, 250]);
  const small = new Viewport();
  small.setDrawn({ x: 0, y: 0, width: 10, height: 10 });
  small.setPlace({ width: 500, height: 500 });
  assert.equal(small.view.scale, 1.5, 'a small one does not become huge');
});

test('a place that changes shows all of it again, until the reader has chosen', () => {
  const viewport = made();
  viewport.setPlace({ width: 432, height: 400 });
  assert.deepEqual(corners(viewport), [16, 100, 416, 300]);
  viewport.zoom(2);
  const { scale } = viewport.view;
  viewport.setPlace({ width: 400, height: 400 });
  assert.equal(viewport.view.scale, scale);
  viewport.fit();
  assert.deepEqual(corners(viewport).slice(0, 1), [16]);
});

test('the point under the pointer stays where it is', () => {
  const viewport = made();
  const at = { x: 60, y: 170 };
  const under = () => [(at.x - viewport.view.left) / viewport.view.scale, (at.y - viewport.view.top) / viewport.view.scale];
  const before = under();
  for (const factor of [1.3, 1.3, 0.7, 2]) viewport.zoom(factor, at);
  under().forEach((each, n) => assert.ok(Math.abs(each - before[n]!) < 1e-9));
});

test('a drawing cannot be moved or made so small that it is lost', () => {
  const viewport = made();
  for (let n = 0; n < 50; ++n) viewport.move(1000, -1000);
  const [left, , , bottom] = corners(viewport);
  assert.equal(left, 232 - 48);
  assert.equal(bottom, 48);
  for (let n = 0; n < 50; ++n) viewport.zoom(0.5);
  assert.equal(viewport.view.scale, 0.05);
  for (let n = 0; n < 50; ++n) viewport.zoom(2);
  assert.equal(viewport.view.scale, 8);
});
