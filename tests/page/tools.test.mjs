// Tools in a chat: cards, progress, approvals, questions of servers, long results.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { connected, demoServer, freePort, startTroupe } from '../integration/support/servers.mjs';
import { StoreServer } from '../integration/support/store_server.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { handWritten } from './support/hand_written.mjs';

const asking = fileURLToPath(new URL('../integration/support/asking_server.mjs', import.meta.url));
const timeout = 280000;
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A model that calls what the last message says, "name {arguments}", and then tells the result. */
const startCallingModel = (t, write) =>
  startFakeModel(t, ({ messages }) => {
    const last = messages.at(-1);
    if (last.content === 'by hand') return { byHand: true };
    if (last.role === 'tool') return { text: `It answered: ${String(last.content).slice(0, 200)}` };
    const [, name, args] = /^(\S+) (\{.*\})$/s.exec(last.content) ?? [];
    return name ? { calls: [{ name, arguments: JSON.parse(args) }] } : { text: `You said ${last.content}` };
  }, write);

async function start(t, config = {}) {
  const hand = handWritten();
  const model = await startCallingModel(t, hand.write);
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { demo: demoServer(), asking: { command: process.execPath, args: [asking] } },
    ...config,
  });
  await connected(troupe, 'demo');
  await connected(troupe, 'asking');
  return Object.assign(troupe, { hand });
}

test('tools', { timeout }, async (t) => {
  const troupe = await start(t);

  await t.test('a call has a card with its arguments and its result', async (t) => {
    const page = await openPage(t, troupe.url);
    const { tool, answers } = parts(page);
    await ask(page, 'get-sum {"a": 17, "b": 25}');
    const card = tool('get-sum');
    await card.getByText('done').waitFor();
    await card.getByRole('button', { expanded: false }).click();
    await card.getByText('"a": 17').waitFor();
    await card.getByText('The sum of 17 and 25 is 42.').waitFor();
    assert.match(await answers.innerText(), /It answered: The sum/);
  });

  await t.test('arguments are printed when they are complete, and the card says so before', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, tool } = parts(page);
    await box.fill('by hand');
    await send.click();
    const pen = await troupe.hand.begun();
    pen.call('get-sum');
    pen.args('{"a": 17, ');
    const card = tool('get-sum');
    await card.getByText('is asked').waitFor();
    await card.getByRole('button', { expanded: false }).click();
    await card.getByText('The arguments are being written.').waitFor();
    pen.args('"b": 25}');
    pen.end('tool_calls');
    await card.getByRole('group', { name: 'Arguments' }).filter({ hasText: '"b": 25' }).waitFor();
    await card.getByText('The sum of 17 and 25 is 42.').waitFor();
    await send.waitFor();
  });

  await t.test('a result is shown as what it is: pictures at once, resources to save, data as JSON', async (t) => {
    const page = await openPage(t, troupe.url);
    const { tool } = parts(page);
    const content = [
      { type: 'image', mimeType: 'image/png', data: pixel },
      { type: 'resource', resource: { uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'what it noted' } },
      { type: 'resource', resource: { uri: 'file:///data.bin', mimeType: 'application/x', blob: 'AAEC' } },
    ];
    await ask(page, `give ${JSON.stringify({ result: { content, structuredContent: { degrees: 21 } } })}`);
    const card = tool('give');
    const picture = card.getByRole('img', { name: 'Picture of give' });
    await until('the picture is there, though the card is closed', () => picture.evaluate((it) => it.complete && it.naturalWidth === 1));
    await card.getByRole('button', { expanded: false }).click();
    await card.getByText('what it noted').first().waitFor();
    await card.getByText('"degrees": 21').last().waitFor();
    const saved = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Save (3 B)' }).click();
    assert.equal((await saved).suggestedFilename(), 'data.bin');
  });

  await t.test('progress is shown, and Stop ends the call', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, stop, tool } = parts(page);
    await box.fill('progress {"steps": 1000, "milliseconds": 100}');
    await send.click();
    await tool('progress').getByRole('progressbar').waitFor();
    await stop.click();
    await send.waitFor();
    await tool('progress').getByText('failed').waitFor();
  });

  await t.test('a tool that fails, and one that ends its server, say so', async (t) => {
    const page = await openPage(t, troupe.url);
    const { tool } = parts(page);
    await ask(page, 'fail {"message": "no luck today"}');
    await tool('fail').getByText('no luck today').waitFor();
    await ask(page, 'crash {}');
    await tool('crash').getByText('failed').waitFor();
    await connected(troupe, 'demo');
  });

  await t.test('a long result is shown in steps, and copied and saved as a whole', async (t) => {
    const page = await openPage(t, troupe.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { tool } = parts(page);
    await ask(page, 'big {"bytes": 300000}');
    const card = tool('big');
    await card.getByRole('button', { expanded: false }).click();
    const shown = async () => (await card.locator('.long-text pre').innerText()).length;
    assert.ok((await shown()) <= 20100);
    await card.getByRole('button', { name: /^Show more \(300 KB\)/ }).click();
    await until('the rest is shown', async () => (await shown()) > 200000);
    await card.getByRole('button', { name: 'Copy result' }).click();
    await until('all of it is copied', async () => (await page.evaluate(() => navigator.clipboard.readText())).length === 300000);
    const saved = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Save' }).click();
    assert.equal(statSync(await (await saved).path()).size, 300000);
  });

  await t.test('a form that a server asks for is filled in, refused, and declined', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, answers } = parts(page);
    const schema = {
      type: 'object',
      properties: {
        label: { type: 'string', title: 'Label', minLength: 2 },
        count: { type: 'integer', title: 'Count', default: 3 },
        heavy: { type: 'boolean', title: 'Heavy' },
        size: { type: 'string', title: 'Size', enum: ['s', 'm'], enumNames: ['Small', 'Middle'] },
      },
      required: ['label'],
    };
    const dialog = page.getByRole('dialog', { name: 'Question from asking' });
    await box.fill(`form ${JSON.stringify({ schema })}`);
    await send.click();
    await dialog.getByText('Which box?').waitFor();
    await dialog.getByLabel('Label').fill('red one');
    await dialog.getByLabel('Size').selectOption('Middle');
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await until('the tool has it', async () => /"label":"red one".*"count":3,"heavy":false,"size":"m"/s.test(await answers.innerText()));
    await send.waitFor();
    await box.fill(`form ${JSON.stringify({ schema })}`);
    await send.click();
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await until('the tool knows', async () => /decline/.test(await answers.last().innerText()));
  });

  await t.test('a form whose turn is over goes away, and an answer that is late is told so', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send } = parts(page);
    const dialog = page.getByRole('dialog', { name: 'Question from asking' });
    const stop = () => fetch(`${troupe.url}/api/chat/${page.url().split('/').at(-1)}/stop`, { method: 'POST' });
    const begin = async () => {
      await box.fill('form {"schema": {"type": "object", "properties": {}}}');
      await send.click();
      await dialog.getByText('Which box?').waitFor();
    };
    await begin();
    await stop();
    await dialog.waitFor({ state: 'detached' });
    await send.waitFor();
    await page.route('**/v1/mcp/requests/*', async (route) => {
      await stop();
      await until('nothing runs', async () => (await troupe.status()).runningTurns === 0);
      await route.continue();
    });
    await begin();
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('alert').getByText('That question is over.').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  await t.test('a server may ask the model only when the person lets it', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, answers } = parts(page);
    await box.fill('sample {}');
    await send.click();
    const dialog = page.getByRole('dialog', { name: 'Question from asking' });
    await dialog.getByText('user: Say hello.').waitFor();
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await until('the model answered it', async () => /You said Say hello/.test(await answers.innerText()));
  });

  await t.test('a prompt is chosen with "/", and its messages are asked', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, questions } = parts(page);
    await box.pressSequentially('/');
    await page.getByRole('option', { name: /parts/ }).waitFor();
    await page.getByRole('combobox', { name: 'Choose a prompt' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'parts' });
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await send.waitFor();
    await until('its text stands there', async () => /the text/.test(await questions.allInnerTexts().then((all) => all.join())));
  });
});

test('approvals', { timeout }, async (t) => {
  const troupe = await start(t, { toolApproval: 'always' });

  await t.test('a call runs when it is allowed, also after a reload', async (t) => {
    const page = await openPage(t, troupe.url);
    const { tool, answers } = parts(page);
    await ask(page, 'get-sum {"a": 1, "b": 2}');
    await tool('get-sum').getByText('"a": 1').waitFor();
    await page.reload();
    await tool('get-sum').getByRole('button', { name: 'Allow' }).click();
    await until('it ran', async () => /is 3/.test(await answers.innerText()));
    assert.equal(await answers.count(), 1);
  });

  await t.test('a call that is denied does not run, and the model is told why', async (t) => {
    const page = await openPage(t, troupe.url);
    const { tool, answers } = parts(page);
    await ask(page, 'get-sum {"a": 5, "b": 6}');
    await tool('get-sum').getByLabel('Reason').fill('not today');
    await tool('get-sum').getByRole('button', { name: 'Deny' }).click();
    await until('the model knows', async () => /not today/.test(await answers.innerText()));
    await tool('get-sum').getByText('not allowed').waitFor();
  });
});

test('an approval that a restart came before', { timeout }, async (t) => {
  const model = await startCallingModel(t);
  const server = new StoreServer(t, {
    listen: `127.0.0.1:${await freePort()}`,
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { demo: demoServer() },
    toolApproval: 'always',
  });
  const demoIsThere = () => connected({ status: () => server.json('/v1/status') }, 'demo');
  await server.ready();
  await demoIsThere();
  const page = await openPage(t, server.url);
  const { tool, answers, send } = parts(page);
  await ask(page, 'get-sum {"a": 20, "b": 3}');
  await tool('get-sum').getByRole('button', { name: 'Allow' }).waitFor();
  await server.stop();
  await server.ready();
  await demoIsThere();
  await page.reload();
  await tool('get-sum').getByRole('button', { name: 'Allow' }).click();
  await until('it ran', async () => /is 23/.test(await answers.innerText()));
  await send.waitFor();
  assert.equal(await answers.count(), 1);
});
