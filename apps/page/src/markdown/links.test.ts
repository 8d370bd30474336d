import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnImage, safeLink } from './links.ts';

test('links lead to the web or to mail, and nowhere else', () => {
  for (const good of ['https://example.org/a', 'http://example.org/', 'mailto:a@example.org'])
    assert.equal(safeLink(good), good);
  for (const bad of ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)',
    'data:text/html,<script>1</script>', 'vbscript:x', 'file:///etc/passwd', 'blob:https://a/b', '/v1/status', 'a'])
    assert.equal(safeLink(bad), undefined, bad);
});

test('only pictures in the text itself are shown', () => {
  assert.ok(isOwnImage('data:image/png;base64,AAAA'));
  for (const bad of ['data:image/svg+xml;base64,AAAA', 'data:text/html;base64,AAAA', 'https://example.org/a.png'])
    assert.ok(!isOwnImage(bad), bad);
});
