import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CanvasState } from './canvas_state.ts';

const xml = (id: string) => `<mxCell id="${id}" vertex="1" parent="1"/>`;

test('a call whose picture is replaced before it is drawn has its result at once', async () => {
  const canvas = new CanvasState();
  const first = canvas.run('display_diagram', { xml: xml('a') }, 'call-1');
  let told = '';
  void first.then((words) => (told = words));
  const second = canvas.run('edit_diagram', { operations: [{ operation: 'add', cell_id: 'b', new_xml: xml('b') }] }, 'call-2');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(told, 'Diagram shown: 1 shape, 0 connections.');
  canvas.onDrawn();
  assert.equal(await second, 'Diagram shown: 2 shapes, 0 connections.');
});

test('what was drawn before comes back, at most fifty pictures of it', () => {
  const canvas = new CanvasState();
  const parts = Array.from({ length: 60 }, (_, n) => ({
    type: 'tool-display_diagram' as const,
    toolCallId: `call-${n}`,
    state: 'output-available' as const,
    input: { xml: xml(`n${n}`) },
    output: '',
  }));
  canvas.rebuild([{ id: 'a', role: 'assistant', parts }]);
  const shown = () => {
    const { picture } = canvas.view.get();
    return picture?.kind === 'diagram' ? [...picture.diagram.keys()].at(-1) : undefined;
  };
  assert.equal(shown(), 'n59');
  assert.equal(canvas.view.get().before.length, 50);
  canvas.undo();
  assert.equal(shown(), 'n58');
});
