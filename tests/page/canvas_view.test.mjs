// What its reader does with the canvas, and how drawings come: piece by piece, in slices.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { startTroupe } from '../integration/support/servers.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { handWritten } from './support/hand_written.mjs';

const box = (id, value, x, y = 40) =>
  `<mxCell id="${id}" value="${value}" vertex="1" parent="1"><mxGeometry x="${x}" y="${y}" width="120" height="60" as="geometry"/></mxCell>`;
const edge = (id, from, to) =>
  `<mxCell id="${id}" edge="1" parent="1" source="${from}" target="${to}"><mxGeometry relative="1" as="geometry"/></mxCell>`;
const three = box('a', 'First', 40) + box('b', 'Second', 260) + edge('e', 'a', 'b');
const many = (n) =>
  Array.from({ length: n }, (_, i) => box(`v${i}`, `Box ${i}`, (i % 25) * 140, Math.floor(i / 25) * 90)).join('') +
  Array.from({ length: n - 1 }, (_, i) => edge(`e${i}`, `v${i}`, `v${i + 1}`)).join('');
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><title>A sign</title><rect width="40" height="20" fill="#3b5bdb"/></svg>';

async function start(t) {
  const hand = handWritten();
  const operations = [
    { operation: 'update', cell_id: 'e', new_xml: box('e', 'A box now', 40, 200) },
    { operation: 'add', cell_id: 'g', new_xml: box('g', 'Around', 300, 200) },
    { operation: 'update', cell_id: 'b', new_xml: box('b', 'Second', 10, 10).replace('parent="1"', 'parent="g"') },
    { operation: 'add', cell_id: 'f', new_xml: edge('f', 'e', 'b') },
  ];
  const calls = { edit: { operations }, three: { xml: three }, many: { xml: many(500) }, sign: { svg }, numbers: { xml: (box('1', 'One', 0) + box('2', 'Two', 200) + edge('3', '1', '2')).replaceAll('parent="1"', '') } };
  const answer = ({ messages }) => {
    const last = messages.at(-1);
    if (last.role === 'tool') return { text: `Told: ${last.content}` };
    if (last.content === 'by hand') return { byHand: true };
    const input = calls[last.content];
    const name = input?.operations ? 'edit_diagram' : input?.svg ? 'display_svg' : 'display_diagram';
    return input ? { calls: [{ name, arguments: input }] } : { text: 'nothing' };
  };
  const model = await startFakeModel(t, answer, hand.write);
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
  });
  return Object.assign(troupe, { hand, model });
}

const canvasOf = (page) => {
  const canvas = page.getByRole('complementary', { name: 'Canvas' });
  return { canvas, figure: canvas.getByRole('figure', { name: 'Diagram' }), button: (name) => canvas.getByRole('button', { name, exact: true }) };
};
const labelIn = (figure, text) => figure.locator('.drawing text').filter({ hasText: new RegExp(`^${text}$`) });
/** Where a label stands and how wide it is, in pixels. */
const placeOf = (figure, text) =>
  labelIn(figure, text).evaluate((it) => {
    const { x, y, width } = it.getBoundingClientRect();
    return { x, y, width };
  });

test('the canvas and its reader', { timeout: 280000 }, async (t) => {
  const troupe = await start(t);
  const page = await openPage(t, troupe.url);
  const { canvas, figure, button } = canvasOf(page);
  await ask(page, 'three');
  await labelIn(figure, 'First').waitFor();

  await t.test('buttons and keys make a drawing larger, move it, and show all of it again', async () => {
    await until('it has the size of its place', () => figure.evaluate((it) =>
      it.querySelector('.drawing svg > g').getBoundingClientRect().width > it.getBoundingClientRect().width / 2));
    const first = await placeOf(figure, 'First');
    await button('Zoom in').click();
    await until('it is larger', async () => (await placeOf(figure, 'First')).width > first.width * 1.2);
    await button('Zoom out').click();
    await button('Zoom out').click();
    await until('it is smaller', async () => (await placeOf(figure, 'First')).width < first.width * 0.9);
    await button('Show all of it').click();
    await until('it is as before', async () => Math.abs((await placeOf(figure, 'First')).x - first.x) < 1);
    await figure.focus();
    await page.keyboard.press('+');
    await until('it is larger', async () => (await placeOf(figure, 'First')).width > first.width * 1.2);
    await page.keyboard.press('0');
    await page.keyboard.press('ArrowDown');
    await until('it went up', async () => (await placeOf(figure, 'First')).y < first.y - 30);
    await page.keyboard.press('0');
    await until('it is as before', async () => Math.abs((await placeOf(figure, 'First')).y - first.y) < 1);
  });

  await t.test('a drag moves it, Ctrl and the wheel zoom at the pointer', async () => {
    const first = await placeOf(figure, 'First');
    const { x, y, width, height } = await figure.boundingBox();
    await page.mouse.move(x + width / 2, y + height - 60);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 50, y + height - 90, { steps: 3 });
    await page.mouse.up();
    await until('it went along', async () => {
      const now = await placeOf(figure, 'First');
      return Math.abs(now.x - first.x - 50) < 2 && Math.abs(now.y - first.y + 30) < 2;
    });
    const now = await placeOf(figure, 'First');
    await page.mouse.move(now.x, now.y);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await until('it is larger', async () => (await placeOf(figure, 'First')).width > now.width * 1.2);
    const after = await placeOf(figure, 'First');
    assert.ok(Math.abs(after.x - now.x) < 3, 'what is under the pointer stays there');
    await page.evaluate(() => {
      window.wheels = 0;
      addEventListener('wheel', () => ++window.wheels, { passive: true });
    });
    for (let n = 0; n < 40; ++n) {
      await page.mouse.wheel(200, 200); // which waits for nothing
      await until('it has turned', () => page.evaluate((turns) => window.wheels >= turns, n + 1));
    }
    await until('it went away', async () => (await placeOf(figure, 'First')).x < after.x - 100);
    const inside = await figure.evaluate((it) => {
      const place = it.getBoundingClientRect();
      const drawn = it.querySelector('.drawing svg > g').getBoundingClientRect();
      return drawn.right > place.left + 20 && drawn.bottom > place.top + 20;
    });
    assert.ok(inside, 'it cannot be lost');
    await button('Show all of it').click();
  });

  await t.test('an edit draws what it changes, wherever that stands now', async () => {
    await labelIn(figure, 'First').evaluate((it) => void (it.old = true));
    await ask(page, 'edit');
    await labelIn(figure, 'A box now').waitFor();
    await until('all is drawn', async () => (await figure.locator('.drawing text').count()) === 4);
    await until('it stands in the other one', () => figure.evaluate((it) => {
      const [around, second] = ['Around', 'Second'].map((text) => [...it.querySelectorAll('.drawing text')].find((each) => each.textContent === text).getBoundingClientRect());
      return second.y > around.y && second.x > around.x - 20;
    }));
    await until('there is one line with its arrow', async () => (await figure.locator('.drawing path').count()) === 2);
    assert.ok(await labelIn(figure, 'First').evaluate((it) => it.old));
    await canvas.getByRole('button', { name: 'Undo' }).click();
    await until('it is undone', async () => (await figure.locator('.drawing text').count()) === 2 && (await figure.locator('.drawing path').count()) === 2);
  });

  await t.test('the line beside it sets its width by pointer and keys, and the browser keeps that', async () => {
    const line = canvas.getByRole('separator', { name: 'Width of the canvas' });
    const width = async () => (await canvas.boundingBox()).width;
    const value = async () => Number(await line.getAttribute('aria-valuenow'));
    await until('it has its first width', async () => (await value()) === 48);
    const before = await width();
    await line.focus();
    await page.keyboard.press('ArrowLeft');
    await until('it is wider', async () => (await value()) === 52 && (await width()) > before + 20);
    await page.keyboard.press('Home');
    await until('it is as wide as can be', async () => (await value()) === Number(await line.getAttribute('aria-valuemax')));
    await page.keyboard.press('End');
    await until('it is as narrow as can be', async () => (await value()) === Number(await line.getAttribute('aria-valuemin')));
    const at = await line.boundingBox();
    await page.mouse.move(at.x + at.width / 2, 400);
    await page.mouse.down();
    await page.mouse.move(at.x - 150, 400, { steps: 4 });
    await page.mouse.up();
    await until('it has followed the pointer', async () => Math.abs((await line.boundingBox()).x - at.x + 150) < at.width + 10);
    const chosen = await value();
    assert.ok(chosen > 35 && chosen < 60, `${chosen}`);
    await until('the drawing fits', () => figure.evaluate((it) => {
      const place = it.getBoundingClientRect();
      const drawn = it.querySelector('.drawing svg > g').getBoundingClientRect();
      return drawn.left >= place.left && drawn.right <= place.right;
    }));
    await page.reload();
    await until('the width is kept', async () => (await value()) === chosen);
    await line.dblclick();
    await until('it is as at first', async () => (await value()) === 48);
  });

  await t.test('an SVG fills its place, and is zoomed as well', async () => {
    await ask(page, 'sign');
    const image = figure.getByRole('img', { name: 'A sign' });
    const width = async () => (await image.boundingBox()).width;
    await until('it is there', async () => (await width()) > (await figure.boundingBox()).width / 2);
    const before = await width();
    await button('Zoom in').click();
    await until('it is larger', async () => (await width()) > before * 1.2);
  });

  await t.test('a model may number its shapes from 1', async () => {
    await ask(page, 'numbers');
    for (const label of ['One', 'Two']) await labelIn(figure, label).waitFor();
    await until('they stand apart', async () => (await placeOf(figure, 'Two')).x > (await placeOf(figure, 'One')).x + 50);
  });
});

test('how drawings come', { timeout: 280000 }, async (t) => {
  const troupe = await start(t);
  const page = await openPage(t, troupe.url);
  const { box: input, send, stop, answers, tool } = parts(page);
  const { canvas, figure } = canvasOf(page);
  const label = (text) => labelIn(figure, text);
  const json = JSON.stringify({ xml: three });
  const begin = async () => {
    await input.fill('by hand');
    await send.click();
    const pen = await troupe.hand.begun();
    pen.call('display_diagram');
    return pen;
  };

  await t.test('whole cells are drawn while the arguments come, and stay when the call is complete', async () => {
    const pen = await begin();
    const half = json.indexOf('Second');
    for (let at = 0; at < half; at += 5) pen.args(json.slice(at, Math.min(half, at + 5)));
    await label('First').waitFor();
    await canvas.getByRole('heading', { name: 'Drawing' }).waitFor();
    assert.equal(await label('Second').count(), 0);
    await label('First').evaluate((it) => void (it.old = true));
    pen.args(json.slice(half));
    pen.end('tool_calls');
    await answers.getByText('Told: Diagram shown: 2 shapes, 1 connection.').waitFor();
    await label('Second').waitFor();
    assert.ok(await label('First').evaluate((it) => it.old), 'it is not drawn anew');
    await canvas.getByRole('heading', { name: 'Canvas' }).waitFor();
    await send.waitFor();
  });

  await t.test('arguments that are stopped in their middle leave the canvas as it was', async () => {
    const pen = await begin();
    const other = JSON.stringify({ xml: box('x', 'Half', 0) + box('y', 'Never', 200) });
    pen.args(other.slice(0, other.indexOf('Never')));
    await tool('display_diagram').nth(1).waitFor();
    await label('Half').waitFor();
    await stop.click();
    await send.waitFor();
    await canvas.getByRole('heading', { name: 'Canvas' }).waitFor();
    await label('Second').waitFor();
    await label('Half').waitFor({ state: 'detached' });
    await tool('display_diagram').nth(1).getByText('failed').waitFor();
    await page.reload();
    await label('Second').waitFor();
    await tool('display_diagram').nth(1).getByText('failed').waitFor();
  });

  await t.test('a large diagram is drawn in slices, between which the page answers', async () => {
    await page.evaluate(() => {
      window.slices = [];
      new MutationObserver((all) => {
        const added = all.reduce((sum, each) => sum + each.addedNodes.length, 0);
        if (added > 0) window.slices.push(added);
      }).observe(document.querySelector('figure .drawing svg'), { subtree: true, childList: true });
    });
    await ask(page, 'many');
    await answers.getByText('Told: Diagram shown: 500 shapes, 499 connections.').waitFor({ timeout: 60000 });
    const drawn = () => figure.evaluate((it) => [it.querySelectorAll('.drawing text').length, it.querySelectorAll('.drawing path').length]);
    await until('all is drawn, each line with its arrow', async () => {
      const [texts, paths] = await drawn();
      return texts === 500 && paths >= 499 * 2;
    }, 60000);
    const slices = await page.evaluate(() => window.slices);
    assert.ok(slices.length >= 10, `${slices.length} slices`);
  });

  await t.test('a call that nobody ran is run once when the chat is opened', async () => {
    const tools = { display_diagram: { description: 'draws', inputSchema: { type: 'object', properties: { xml: { type: 'string' } } } } };
    const body = { id: 'left', message: { id: 'q', role: 'user', parts: [{ type: 'text', text: 'three' }] }, tools };
    const answer = await fetch(`${troupe.url}/api/chat`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    await answer.text();
    const asked = troupe.model.requests.length;
    const other = await openPage(t, `${troupe.url}/#/chat/left`);
    await parts(other).answers.getByText('Told: Diagram shown: 2 shapes, 1 connection.').waitFor();
    await labelIn(canvasOf(other).figure, 'Second').waitFor();
    await parts(other).send.waitFor();
    assert.equal(troupe.model.requests.length, asked + 1);
  });
});
