// How the page is served: who gets it, codings, headers, caches.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { openPage } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A request without a browser's additions; resolves with status, headers and the bytes as they came. */
function get(url, headers = {}, method = 'GET') {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers }, (answer) => {
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(pieces) }));
    });
    request.on('error', reject).end();
  });
}

test('the page and its files', { timeout: 280000 }, async (t) => {
  const { url } = await startServer(t, ['text']);
  const page = await get(url, html);
  const files = [...page.body.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);

  await t.test('browsers get the page, programs the list of routes', async () => {
    assert.equal(page.status, 200);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(page.headers['cache-control'], 'no-cache');
    assert.match(page.body.toString(), /<script [^>]*blocking="render"/, 'nothing is painted in the wrong colours');
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/html;q=0' }]) {
      const plain = await get(url, headers);
      assert.match(plain.headers['content-type'], /^text\/plain/);
      assert.match(plain.body.toString(), /^Troupe [\d.]+\nPOST \/api\/chat/);
      assert.equal(plain.headers.vary, 'Accept, Accept-Encoding');
    }
    assert.equal(page.headers.vary, 'Accept, Accept-Encoding');
  });

  await t.test('files are for ever, and their own origin only may run', async () => {
    assert.ok(files.length >= 3);
    for (const path of files) {
      const file = await get(url + path);
      assert.equal(file.status, 200, path);
      assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.match(file.headers['content-security-policy'], /default-src 'none'; script-src 'self'/);
      assert.equal(file.headers['x-content-type-options'], 'nosniff');
      assert.equal(file.headers['referrer-policy'], 'no-referrer');
    }
    assert.match(page.headers['content-security-policy'], /frame-ancestors 'none'/);
    assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin');
    assert.doesNotMatch(page.headers['content-security-policy'], /unsafe/);
  });

  await t.test('who has a file gets 304, and HEAD the length alone', async () => {
    for (const path of ['/', ...files]) {
      const { headers, body } = await get(url + path, html);
      for (const tag of [headers.etag, `W/${headers.etag}`, `"x", ${headers.etag}`, '*']) {
        const again = await get(url + path, { ...html, 'if-none-match': tag });
        assert.equal(again.status, 304, tag);
        assert.equal(again.body.length, 0);
        assert.equal(again.headers.etag, headers.etag);
      }
      assert.equal((await get(url + path, { ...html, 'if-none-match': '"x"' })).status, 200);
      const head = await get(url + path, html, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(Number(head.headers['content-length']), body.length);
      assert.equal(head.body.length, 0);
    }
  });

  await t.test('the coding is one that the client reads', async () => {
    const script = files.find((path) => path.endsWith('.js'));
    const whole = (await get(url + script)).body;
    const coded = async (accepted) => (await get(url + script, { 'accept-encoding': accepted })).headers['content-encoding'];
    assert.equal(await coded('gzip, deflate'), 'gzip');
    assert.equal(await coded('identity'), undefined);
    assert.equal(await coded('gzip;q=0'), undefined);
    assert.ok(['br', 'gzip'].includes(await coded('gzip, deflate, br')));
    const { gunzipSync } = await import('node:zlib');
    assert.deepEqual(gunzipSync((await get(url + script, { 'accept-encoding': 'gzip' })).body), whole);
  });

  await t.test('what is loaded before the first chat is small', async () => {
    const bytes = async (coding) => {
      const sizes = ['/', ...files.filter((path) => /\.(js|css)$/.test(path))].map(async (path) => (await get(url + path, { ...html, 'accept-encoding': coding })).body.length);
      return (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
    };
    assert.ok((await bytes('gzip')) <= 120_000, `${await bytes('gzip')} bytes with gzip`);
  });

  await t.test('nothing else is below /page', async () => {
    for (const path of ['/page', '/page/', '/page/assets', '/page/assets/', '/page/assets/x.js', '/page/index.html',
      '/page/assets/..%2f..%2fetc%2fpasswd', '/page/assets/../../etc/passwd', '/index.html'])
      assert.equal((await get(url + path, html)).status, 404, path);
    assert.equal((await get(url, html, 'POST')).status, 405);
  });
});

test('the box is there after three files and one request, all of this server', { timeout: 280000 }, async (t) => {
  const { url } = await startServer(t, ['text']);
  const page = await openPage(t, url);
  await page.addInitScript(() => {
    new MutationObserver((_, watch) => {
      if (!document.querySelector('.composer textarea')) return;
      window.boxAt ??= performance.now();
      watch.disconnect();
    }).observe(document, { subtree: true, childList: true });
  });
  await page.reload();
  await until('the box is there', () => page.evaluate(() => window.boxAt > 0));
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').filter((each) => each.startTime < window.boxAt).map((each) => new URL(each.name).pathname));
  const asked = loaded.filter((path) => !/\.(svg|ico)$/.test(path));
  assert.ok(asked.filter((path) => path.startsWith('/page/assets/')).length <= 3, asked.join());
  assert.deepEqual(asked.filter((path) => !path.startsWith('/page/assets/') && path !== '/v1/conversations'), []);
});

test('a server that is told so shows no page', { timeout: 280000 }, async (t) => {
  const off = await startServer(t, ['text'], { page: false });
  const { headers, body } = await get(off.url, html);
  assert.match(headers['content-type'], /^text\/plain/);
  assert.doesNotMatch(body.toString(), /no web page/);
  const flag = await startServer(t, ['text'], {}, { args: ['--no-page'] });
  assert.match((await get(flag.url, html)).headers['content-type'], /^text\/plain/);
});

test('with API keys the page itself needs none', { timeout: 280000 }, async (t) => {
  const keyed = await startServer(t, ['text'], { auth: { keys: true } });
  assert.equal((await get(keyed.url, html)).status, 200);
  assert.equal((await get(`${keyed.url}/v1/conversations`, html)).status, 401);
});
