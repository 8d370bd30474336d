import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfter, retryAfterIn } from './retry_after.ts';

test('the time to wait is read as seconds or as a date', () => {
  const now = Date.UTC(2026, 0, 1);
  for (const [value, milliseconds] of [
    ['3', 3000], ['1.500', 1500], [' 7 s ', 7000], ['Thu, 01 Jan 2026 00:01:00 GMT', 60000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0], ['', 0], ['soon', 0], ['-1', 0],
  ] as const)
    assert.equal(retryAfter(value, now), milliseconds, value);
});

test('it is found in what is said about a model', () => {
  assert.equal(retryAfterIn('The model answered 429: slow down (Retry-After: 3 s)'), 3000);
  assert.equal(retryAfterIn('The model answered 429: slow down'), 0);
});
