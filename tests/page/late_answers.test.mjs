// The server answers late, or not at all: nothing is lost of what was typed, and nothing of what is shown.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { connected, everythingOverStdio, startTroupe } from '../integration/support/servers.mjs';
import { ask, hold, openIn, openPage, parts } from './support/browser.mjs';
import { startServer } from './support/server.mjs';
import { answerWhole } from './support/whole_answer.mjs';

const reading = /\/v1\/conversations\/\w+$/;
const photo = (name) => ({ name, mimeType: 'image/png', buffer: Buffer.alloc(300000, '\x89PNG\r\n\x1a\n', 'latin1') });

/** Finds the prompt without arguments; resolves with the box in which it was looked for. */
async function choosePrompt(page) {
  await parts(page).box.fill('');
  await parts(page).box.pressSequentially('/');
  await page.getByRole('option', { name: /simple/ }).first().waitFor();
  const picker = page.getByRole('combobox', { name: 'Choose a prompt' });
  await picker.fill('simple');
  return picker;
}

test('a server that answers late', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo', 'paced-50-3000'], { mcpServers: { everything: everythingOverStdio() } });
  await connected(troupe, 'everything');
  const edit = async (page, text) => {
    await parts(page).questions.first().hover();
    await parts(page).questions.first().getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Edit message' }).fill(text);
    await page.getByRole('button', { name: 'Save and ask' }).click();
  };
  const texts = async (page) => (await parts(page).questions.allTextContents()).map((each) => each.trim());

  await t.test('a question waits until its chat is read', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, answers } = parts(page);
    await ask(page, 'one');
    const goOn = await hold(page, reading);
    await page.reload();
    await box.fill('two');
    await box.press('Enter');
    assert.equal(await box.inputValue(), 'two');
    goOn();
    await answers.getByText('one').waitFor();
    await box.press('Enter');
    await until('it is answered', async () => /two/.test(await answers.last().innerText()));
    assert.deepEqual(await texts(page), ['one', 'two']);
  });

  await t.test('a changed question that another place forestalled comes back into the box', async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'the one');
    const other = await openIn(page.context(), page.url());
    await parts(other).answers.waitFor();
    await ask(other, 'the other');
    await parts(page).box.fill('half a thought');
    const goOn = await hold(page, reading);
    await edit(page, 'the one, changed');
    await parts(page).stop.waitFor(); // until it is shown nothing is sent
    goOn();
    await page.getByRole('alert').getByText('what you wrote is in the box').waitFor();
    await until('it is there', async () => (await parts(page).box.inputValue()) === 'half a thought\n\nthe one, changed');
    await until('the chat is shown as it is', async () => (await texts(page)).join() === 'the one,the other');
  });

  await t.test('a changed question that did not arrive stays, and is asked by trying again', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, questions, answers } = parts(page);
    await ask(page, 'as it was');
    await page.route('**/api/chat', (route) => route.abort());
    await edit(page, 'as it is now');
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await until('it is shown', async () => (await texts(page)).join() === 'as it is now'); // the log is drawn 20 times a second
    await page.reload();
    await questions.getByText('as it was').waitFor();
    assert.equal(await box.inputValue(), 'as it is now');
    await edit(page, 'as it is now');
    await again.waitFor();
    await page.unroute('**/api/chat');
    await again.click();
    await until('it is answered', async () => /as it is now/.test((await answers.allInnerTexts()).join()));
    assert.deepEqual(await texts(page), ['as it is now']);
  });

  await t.test('a question that did not arrive is in the box after a reload, also when another was asked', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, answers } = parts(page);
    await ask(page, 'first');
    await page.route('**/api/chat', (route) => route.abort());
    await box.fill('lost');
    await send.click();
    await page.getByRole('alert').getByText('The connection broke before the server had the message.').waitFor();
    await page.unroute('**/api/chat');
    await ask(page, 'third');
    await page.reload();
    await answers.nth(1).waitFor();
    assert.deepEqual(await texts(page), ['first', 'third']);
    assert.equal(await box.inputValue(), 'lost');
  });

  await t.test('files of a chat that was left are there when one comes back; one that does not arrive is named', async (t) => {
    const page = await openPage(t, troupe.url);
    const goOn = await hold(page, '**/v1/files?*');
    const input = page.locator('input[type=file]');
    await input.setInputFiles([photo('a.png'), photo('b.png')]);
    const list = page.getByRole('list', { name: 'Attachments' });
    const uploading = list.getByRole('progressbar');
    await list.getByRole('progressbar', { name: 'Uploading a.png' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await list.waitFor({ state: 'detached' });
    goOn();
    await page.goBack();
    await until('both are sent', async () => (await list.getByRole('listitem').count()) === 2 && (await uploading.count()) === 0);
    const chat = page.url();
    await page.getByRole('button', { name: 'New chat' }).click();
    await until('they are of the other chat', async () => page.url() !== chat && (await list.count()) === 0);
    await page.goBack();
    await until('they are there again', async () => (await list.locator('img').count()) === 2);
    await ask(page, 'with both');
    assert.equal(await list.count(), 0);
    await parts(page).questions.getByRole('img', { name: 'b.png' }).waitFor();
    await page.route('**/v1/files?*', (route) => route.abort());
    await input.setInputFiles([photo('c.png')]);
    await page.getByRole('alert').getByText('c.png did not reach the server. Add it again.').waitFor();
    assert.equal(await list.count(), 0);
  });

  await t.test('a picture that cannot be read now can be had later', async (t) => {
    const page = await openPage(t, troupe.url);
    const { questions } = parts(page);
    await page.locator('input[type=file]').setInputFiles([photo('p.png')]);
    await page.getByRole('list', { name: 'Attachments' }).getByText('p.png').waitFor();
    await page.route('**/v1/files/*/content', (route) => route.fulfill({ status: 503, body: '{"error": {"message": "not now"}}' }));
    await ask(page, 'look');
    const button = questions.getByRole('button', { name: 'p.png' });
    await button.click();
    await page.getByRole('alert').getByText('not now').waitFor();
    await page.unroute('**/v1/files/*/content');
    const saved = page.waitForEvent('download');
    await button.click();
    assert.equal((await saved).suggestedFilename(), 'p.png');
  });

  await t.test('a prompt waits until the answer before it is over', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-50-3000' } });
    const { box, send, stop, questions, answers } = parts(page);
    await box.fill('count');
    await send.click();
    await stop.waitFor();
    const picker = await choosePrompt(page);
    await picker.press('Enter');
    const asks = page.getByRole('dialog').getByRole('button', { name: 'Ask' });
    assert.equal(await asks.isDisabled(), true);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await stop.click();
    await send.waitFor();
    await (await choosePrompt(page)).press('Enter');
    await asks.click();
    await questions.getByText(/simple prompt/).waitFor();
    await until('its answer begins', async () => (await answers.count()) === 2);
    await stop.click();
    await send.waitFor();
  });

  await t.test('a list of attachments that is older than what an event has said is read again', async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'begin');
    const list = page.getByRole('list', { name: 'Attachments' });
    const attach = async (name) => {
      await parts(page).box.pressSequentially('@');
      await page.getByRole('combobox', { name: 'Choose a resource' }).fill(name);
      await page.getByRole('option', { name }).first().click();
      await list.getByText(name).waitFor();
    };
    await attach('architecture');
    await until('it is read', async () => /KB|\d B/.test(await list.innerText()));
    let reads = 0;
    await page.route('**/attachments', async (route) => {
      if (route.request().method() !== 'GET' || ++reads > 1) return route.continue();
      const old = await route.fetch();
      const [{ id }] = (await old.json()).attachments;
      await fetch(`${route.request().url()}/${id}`, { method: 'DELETE' });
      await list.getByText('architecture').waitFor({ state: 'detached' });
      return route.fulfill({ response: old });
    });
    await attach('features');
    await until('it is read again', () => reads >= 2);
    await until('both are not there', async () => (await list.getByRole('listitem').count()) === 1);
    assert.equal(await list.getByText('architecture').count(), 0);
  });

  await t.test('a list over the box that is left by a click lets the focus go where it went', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box } = parts(page);
    await box.pressSequentially('/');
    const picker = page.getByRole('combobox', { name: 'Choose a prompt' });
    await picker.waitFor();
    const search = page.getByRole('searchbox', { name: 'Search conversations' });
    await search.click();
    await picker.waitFor({ state: 'detached' });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.ok(await search.evaluate((it) => it === document.activeElement));
  });
});

test('a prompt whose answer failed is not asked twice', { timeout: 280000 }, async (t) => {
  let busy = true;
  const model = await startFakeModel(t, () => ({ text: 'At last.' }), (response, answer, number) => {
    if (!busy) return answerWhole(response, answer, number);
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"error": {"message": "no words today", "type": "invalid_request_error"}}');
  });
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { everything: everythingOverStdio() },
  });
  await connected(troupe, 'everything');
  const page = await openPage(t, troupe.url, { settings: { streaming: false } });
  const { questions, answers } = parts(page);
  await (await choosePrompt(page)).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask' }).click();
  const alert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });
  await alert.getByText(/no words today/).waitFor();
  busy = false;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await answers.getByText('At last.').waitFor();
  const { messages } = model.requests.at(-1);
  assert.equal(messages.filter((each) => each.role === 'user').length, 1, JSON.stringify(messages));
  assert.equal(await questions.count(), 1);
  await page.reload();
  await answers.getByText('At last.').waitFor();
  assert.equal(await questions.count(), 1);
});
