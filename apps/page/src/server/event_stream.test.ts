import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventCutter } from './event_stream.ts';

test('events are the same however their stream is cut', () => {
  const text = ': begin\n\nevent: server\ndata: {"a":\ndata: 1}\n\r\nevent: log\r\ndata: x\r\n\r\n';
  const expected = [{ event: '', data: '' }, { event: 'server', data: '{"a":\n1}' }, { event: 'log', data: 'x' }];
  for (let size = 1; size <= text.length; ++size) {
    const cutter = new EventCutter();
    const found = [];
    for (let at = 0; at < text.length; at += size) found.push(...cutter.take(text.slice(at, at + size)));
    assert.deepEqual(found, expected, `cut at ${size}`);
  }
});
