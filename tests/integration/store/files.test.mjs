// Uploaded files: what messages name, what models get, whose they are, and when they go.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import OpenAI from 'openai';
import { KeptIn } from '../support/kept_in.mjs';
import { settles, until, within } from '../support/patience.mjs';
import { Program, binary } from '../support/program.mjs';
import { models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = within(120000);
const png = (size = 2000) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(size)]);
const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Starts a server whose model takes images. `owners` get a key each. */
async function start(t, { owners = [], limits = {}, kept = new KeptIn(t) } = {}) {
  const model = await startModel(t);
  const keys = {};
  for (const owner of owners) {
    const made = new Program(binary('troupe'), ['keys', 'create', '--owner', owner, '--json', ...kept.options]);
    await settles('a key is made', made.exit, 20000);
    keys[owner] = JSON.parse(made.stdout).key;
  }
  const server = await startTroupe(t, {
    ...kept.config, limits, models: models(model.url, ['text', 'echo', 'cut'], { images: true, maxAttempts: 1 }),
    defaultModel: 'text', ...(owners.length && { auth: { keys: true } }),
  });
  const ask = async (method, rest, { body, type, owner } = {}) => {
    const answer = await fetch(server.url + rest, {
      method, body,
      headers: { ...(type && { 'content-type': type }), ...(owner && { authorization: `Bearer ${keys[owner]}` }) },
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const text = bytes.toString();
    const json = text.startsWith('{') ? JSON.parse(text) : undefined;
    return { status: answer.status, headers: answer.headers, bytes, text, json, code: json?.error?.code };
  };
  const upload = async (bytes, { type = 'image/png', name = 'a.png', owner } = {}) => {
    const answer = await ask('POST', `/v1/files?filename=${name}`, { body: bytes, type, owner });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const json = (body, owner) => ({ body: JSON.stringify(body), type: 'application/json', owner });
  const say = (id, parts, { owner, ...more } = {}) => ask('POST', '/api/chat', json({
    id, message: { id: `m-${Math.random()}`, role: 'user', parts }, ...more,
  }, owner));
  const lastRequest = async () => (await model.requests()).at(-1);
  return { ...server, keys, model, ask, upload, json, say, lastRequest, files: () => kept.files() };
}

const part = ({ mediaType, url, filename }) => ({ type: 'file', mediaType, url, filename });
const text = (said) => ({ type: 'text', text: said });

test('a photo is sent once, and each request to the model has its bytes', { timeout }, async (t) => {
  const { upload, say, lastRequest, ask, model } = await start(t, { limits: { maxBodyBytes: 100000 } });
  const photo = png(300000);
  const file = await upload(photo);
  assert.match(file.url, /^\/v1\/files\/file-[0-9a-v]{24}$/);
  for (const said of ['what is it?', 'and now?']) {
    const answer = await say('c', said === 'and now?' ? [text(said)] : [text(said), part(file)]);
    assert.equal(answer.status, 200, answer.text);
    const sent = JSON.stringify(await lastRequest());
    assert.ok(sent.includes(`data:image/png;base64,${photo.toString('base64')}`), 'the model has it');
    assert.ok(!sent.includes('/v1/files/'));
  }
  const kept = (await ask('GET', '/v1/conversations/c')).json;
  assert.ok(JSON.stringify(kept).includes(`"url":"${file.url}"`));
  assert.ok(!JSON.stringify(kept).includes('base64'));
  assert.equal((await model.stats()).requests >= 2, true);
});

test('contents come back as they were, as an attachment that runs nowhere', { timeout }, async (t) => {
  const { upload, ask } = await start(t);
  const photo = png(3_000_000);
  const file = await upload(photo, { name: encodeURIComponent('ein Bild "é".png') });
  assert.equal(file.filename, 'ein Bild "é".png');
  const got = await ask('GET', `${file.url}/content`);
  assert.equal(digest(got.bytes), digest(photo));
  assert.equal(got.headers.get('content-type'), 'image/png');
  assert.equal(got.headers.get('x-content-type-options'), 'nosniff');
  assert.match(got.headers.get('content-disposition'), /^attachment; filename\*=UTF-8''ein%20Bild%20%22%C3%A9%22.png$/);
  const page = await upload('<script>alert(1)</script>', { type: 'text/html', name: 'x.html' });
  const shown = await ask('GET', `${page.url}/content`);
  assert.match(shown.headers.get('content-disposition'), /^attachment/);
  assert.match(shown.headers.get('content-security-policy'), /default-src 'none'/);
});

test("OpenAI's client uploads, lists, reads and deletes, and its messages name the file", { timeout }, async (t) => {
  const { url, lastRequest } = await start(t);
  const client = new OpenAI({ apiKey: 'any', baseURL: `${url}/v1`, maxRetries: 0 });
  const photo = png();
  const file = await client.files.create({
    file: new File([photo], 'a.png', { type: 'image/png' }), purpose: 'vision',
  });
  assert.equal(file.purpose, 'vision');
  assert.equal(file.bytes, photo.length);
  const later = await client.files.create({
    file: new File(['words'], 'b.txt', { type: 'text/plain' }), purpose: 'user_data',
    expires_after: { anchor: 'created_at', seconds: 3600 },
  });
  assert.equal(later.expires_at, later.created_at + 3600);
  const seen = [];
  for await (const each of client.files.list({ limit: 1 })) seen.push(each.id);
  assert.deepEqual(seen.sort(), [file.id, later.id].sort());
  assert.equal((await client.files.retrieve(file.id)).filename, 'a.png');
  const back = Buffer.from(await (await client.files.content(file.id)).arrayBuffer());
  assert.equal(digest(back), digest(photo));
  await client.chat.completions.create({
    model: 'text',
    messages: [{ role: 'user', content: [
      { type: 'text', text: 'look' }, { type: 'file', file: { file_id: file.id } },
    ] }],
  });
  assert.ok(JSON.stringify(await lastRequest()).includes(photo.toString('base64')));
  assert.equal((await client.files.delete(file.id)).deleted, true);
  await assert.rejects(client.files.retrieve(file.id), { status: 404 });
});

test('what cannot be kept is refused with a reason, and leaves nothing', { timeout }, async (t) => {
  const { ask, files, url } = await start(t, { limits: { maxFileBytes: 100000, maxFileBytesPerOwner: 160000 } });
  const refused = async (body, type, status, reason) => {
    const answer = await ask('POST', '/v1/files', { body, type });
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.json.error.message, reason);
  };
  await refused(Buffer.alloc(200000), 'application/octet-stream', 413, /100000 bytes/);
  await refused('not a picture', 'image/png', 400, /image\/png/);
  await refused('', 'text/plain', 400, /empty/);
  await refused('--x\r\nbroken', 'multipart/form-data; boundary=x', 400, /form/);
  await refused('x', 'multipart/form-data', 400, /boundary/);
  const form = new FormData();
  form.set('other', 'value');
  const answer = await fetch(`${url}/v1/files`, { method: 'POST', body: form });
  assert.equal(answer.status, 400);
  assert.match((await answer.json()).error.message, /'file'/);
  const big = new FormData();
  big.set('file', new Blob([Buffer.alloc(150000)]), 'big');
  const large = await fetch(`${url}/v1/files`, { method: 'POST', body: big }).then((r) => r.status, () => 413);
  assert.equal(large, 413);
  assert.equal((await ask('POST', '/v1/files', { body: 'a'.repeat(90000), type: 'text/plain' })).status, 200);
  await refused('a'.repeat(90000), 'text/plain', 507, /160000/);
  assert.equal(files(), 1);
});

test('a client that leaves in mid-upload leaves nothing', { timeout }, async (t) => {
  const { url, files, ask } = await start(t);
  const request = http.request(`${url}/v1/files`, {
    method: 'POST', headers: { 'content-type': 'text/plain', 'content-length': 1000000 },
  });
  request.on('error', () => {});
  request.write('a'.repeat(500000));
  await until('it is on its way', () => files() === 0.5);
  request.destroy();
  await until('it is gone', () => files() === 0);
  assert.deepEqual((await ask('GET', '/v1/files')).json.data, []);
});

test("one owner's files are not there for another, in any way", { timeout }, async (t) => {
  const { upload, ask, say, json } = await start(t, { owners: ['alice', 'bob'] });
  const file = await upload(png(), { owner: 'alice' });
  for (const [method, rest] of [['GET', ''], ['GET', '/content'], ['DELETE', '']]) {
    const answer = await ask(method, file.url + rest, { owner: 'bob' });
    assert.deepEqual([answer.status, answer.code], [404, 'file_unknown'], method + rest);
    assert.equal((await ask(method, file.url + rest)).status, 401);
  }
  assert.deepEqual((await ask('GET', '/v1/files', { owner: 'bob' })).json.data, []);
  const turn = await say('c', [part(file)], { owner: 'bob' });
  assert.match(turn.text, /file_unknown|There is no file/);
  const completion = await ask('POST', '/v1/chat/completions', json({
    messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: file.id } }] }],
  }, 'bob'));
  assert.equal(completion.status, 404, completion.text);
  assert.equal((await ask('GET', file.url, { owner: 'alice' })).status, 200);
});

test('a missing file of the new message fails its turn; of an older one it is told', { timeout }, async (t) => {
  const { upload, ask, say, lastRequest, model } = await start(t);
  const file = await upload(png());
  await say('c', [text('look'), part(file)]);
  assert.equal((await ask('DELETE', file.url)).status, 200);
  await model.forget();
  const failed = await say('d', [text('look'), part(file)]);
  assert.match(failed.text, /"type":"error"/);
  assert.match(failed.text, /There is no file/);
  assert.deepEqual(await model.requests(), []);
  const goes = await say('c', [text('go on')]);
  assert.match(goes.text, /"type":"finish"/);
  assert.match(JSON.stringify(await lastRequest()), /it is not kept any more/);
});

test('files go with the last chat that has used them', { timeout }, async (t) => {
  const { upload, ask, say, files } = await start(t);
  const file = await upload(png());
  const unused = await upload(png());
  await say('c', [text('look'), part(file)]);
  assert.equal((await ask('GET', file.url)).json.expires_at, null);
  assert.ok((await ask('GET', unused.url)).json.expires_at > Date.now() / 1000);
  assert.equal((await ask('POST', '/v1/conversations/c/branch', {
    body: '{"id":"copy"}', type: 'application/json',
  })).status, 201);
  assert.equal((await ask('DELETE', '/v1/conversations/c')).status, 200);
  assert.equal((await ask('GET', file.url)).status, 200);
  assert.equal((await ask('DELETE', '/v1/conversations/copy')).status, 200);
  await until('it is gone', async () => (await ask('GET', file.url)).status === 404);
  await until('its bytes are gone', () => files() === 1);
});

test('a chat that is imported beside the one it was keeps the files', { timeout }, async (t) => {
  const { upload, ask, say } = await start(t);
  const file = await upload(png());
  await say('c', [text('look'), part(file)]);
  const body = (await ask('GET', '/v1/conversations/c/export')).text;
  assert.equal((await ask('POST', '/v1/conversations/import?id=back', { body })).status, 201);
  assert.equal((await ask('DELETE', '/v1/conversations/c')).status, 200);
  await upload(png()); // the store of files has come to what was said before
  assert.equal((await ask('GET', file.url)).json.expires_at, null);
  assert.equal((await ask('DELETE', '/v1/conversations/back')).status, 200);
  await until('it is gone', async () => (await ask('GET', file.url)).status === 404);
});

test('files and who uses them are known after a restart', { timeout }, async (t) => {
  const kept = new KeptIn(t);
  const first = await start(t, { kept });
  const photo = png();
  const file = await first.upload(photo);
  await first.say('c', [text('look'), part(file)]);
  first.judged = true;
  await settles('it ends', first.program.end(), 20000);
  const second = await start(t, { kept });
  const known = (await second.ask('GET', file.url)).json;
  assert.equal(known.expires_at, null);
  assert.equal(digest((await second.ask('GET', `${file.url}/content`)).bytes), digest(photo));
});

test('a server that is killed in a deletion leaves no file behind', { timeout }, async (t) => {
  const kept = new KeptIn(t);
  const first = await start(t, { kept });
  const file = await first.upload(png());
  await first.say('c', [text('look'), part(file)]);
  const folder = kept.data && path.join(kept.data, 'files');
  const before = folder && readdirSync(folder).map((name) => [path.join(folder, name), readFileSync(path.join(folder, name))]);
  await first.ask('DELETE', '/v1/conversations/c');
  await until('it is gone', async () => (await first.ask('GET', file.url)).status === 404);
  first.judged = true;
  await settles('it ends', first.program.end(), 20000);
  if (!folder) return; // in a database both go at once
  const earlier = Date.now() / 1000 - 2 * 3600;
  for (const [name, bytes] of before) { // as if the file store had not been told
    writeFileSync(name, bytes, { mode: 0o600 });
    utimesSync(name, earlier, earlier);
  }
  const second = await start(t, { kept });
  const expiry = async () => (await second.ask('GET', file.url)).json.expires_at;
  await until('it expires', async () => (await expiry()) !== null);
  assert.ok(await expiry() > Date.now() / 1000 + 6 * 24 * 3600, 'the chat may come back');
});

test('without a data folder there are no files, and it says so', { timeout }, async (t) => {
  const model = await startModel(t);
  const { url, data } = await startTroupe(t, { data: '', models: models(model.url, ['text']), defaultModel: 'text' });
  const answer = await fetch(`${url}/v1/files`, { method: 'POST', body: 'words' });
  assert.equal(answer.status, 501);
  assert.match((await answer.json()).error.message, /--data/);
  assert.ok(!existsSync(path.join(data, 'files')));
});

test('a body that is too large is refused with a hint, in the form of its route', { timeout }, async (t) => {
  const { url } = await start(t, { limits: { maxBodyBytes: 100000 } });
  const body = JSON.stringify({ id: 'c', message: 'x'.repeat(200000) });
  const post = async (rest) => {
    const answer = await fetch(url + rest, { method: 'POST', body, headers: { origin: url } });
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const page = await post('/api/chat');
  assert.equal(page.status, 413);
  assert.match(page.type, /^text\/plain/);
  assert.match(page.text, /100000 bytes.*POST \/v1\/files/);
  const native = await post('/v1/sessions/c/turns');
  assert.equal(native.status, 413);
  assert.equal(JSON.parse(native.text).error.code, 'request_too_large');
  const openai = await post('/v1/chat/completions');
  assert.equal(JSON.parse(openai.text).error.code, 'request_too_large');
});

test('inner addresses are shown to the only user, and not to owners of keys', { timeout }, async (t) => {
  for (const owners of [[], ['alice']]) {
    const { say, program, keys } = await start(t, { owners });
    assert.equal(Object.keys(keys).length, owners.length);
    const answer = await say('c', [text('hi')], { owner: owners[0], model: 'cut' });
    assert.match(answer.text, /The model's answer broke off/);
    assert.equal(/127\.0\.0\.1/.test(answer.text), owners.length === 0, answer.text);
    if (owners.length > 0) await until('it is logged', () => /hidden_error.*127\.0\.0\.1/.test(String(program.stderr)));
  }
});
