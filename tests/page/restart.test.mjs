// A server that ends in mid-answer, and one that is away.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { freePort } from '../integration/support/servers.mjs';
import { StoreServer } from '../integration/support/store_server.mjs';
import { ask, openIn, openPage, parts } from './support/browser.mjs';
import { handWritten } from './support/hand_written.mjs';

test('a server that comes back', { timeout: 280000 }, async (t) => {
  const hand = handWritten();
  let byHand = true;
  const model = await startFakeModel(t, ({ messages }) => ({ byHand, text: `You said ${messages.at(-1).content}` }), hand.write);
  const server = new StoreServer(t, {
    listen: `127.0.0.1:${await freePort()}`,
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    durability: 'full',
  });
  await server.ready();
  const page = await openPage(t, server.url);
  const { box, send, stop, answers, questions } = parts(page);

  await t.test('kill -9 in mid-answer: the page says so, and goes on with the answer', async () => {
    await box.fill('Count');
    await send.click();
    (await hand.begun()).text('one, two, ');
    await answers.getByText('one, two,').waitFor();
    await box.fill('typed meanwhile');
    const other = await openIn(page.context(), page.url());
    await parts(other).answers.getByText('one, two,').waitFor(); // a second tab shows it, too
    await server.kill();
    await page.getByText('Connection lost.').waitFor();
    await page.getByText(/^Trying again in \d+ s\.$/).waitFor();
    await answers.getByText('one, two,').waitFor(); // what came can be read
    await server.ready();
    await page.getByText('The server was restarted while it answered.').waitFor({ timeout: 40000 });
    await page.getByText('Connection lost.').waitFor({ state: 'detached' });
    assert.equal(await box.inputValue(), 'typed meanwhile');
    await other.getByText('The server was restarted while it answered.').waitFor({ timeout: 40000 });
    await page.getByRole('button', { name: 'Continue' }).click();
    const pen = await hand.begun();
    await stop.waitFor();
    pen.text('three.');
    await answers.getByText('three.').waitFor();
    pen.end('stop');
    await send.waitFor();
    await other.reload();
    await until('both tabs show the same', async () => (await parts(other).answers.innerText()) === (await answers.innerText()));
    await other.close();
    assert.equal(await questions.count(), 1);
    assert.equal(await answers.count(), 1);
    assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 0);
  });

  await t.test('a server that is away takes nothing: the question stays, and is sent once', async () => {
    byHand = false;
    await server.stop();
    await box.fill('while you were away');
    await send.click();
    await page.getByText('Connection lost.').waitFor();
    assert.equal(await questions.count(), 2);
    await server.ready();
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await again.click({ timeout: 40000 });
    await until('it is answered', async () => /while you were away/.test(await answers.last().innerText()), 20000);
    await send.waitFor();
    const { conversations } = await server.json('/v1/conversations');
    const { messages } = await server.json(`/v1/conversations/${conversations[0].id}`);
    assert.equal(messages.filter((each) => JSON.stringify(each).includes('while you were away') && each.role === 'user').length, 1);
    await ask(page, 'and on');
  });
});
