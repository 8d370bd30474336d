// The canvas: each of its tools, streamed and in one piece, after a reload, and with broken input.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { startTroupe } from '../integration/support/servers.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { answerWhole } from './support/whole_answer.mjs';

const box = (id, value, x) =>
  `<mxCell id="${id}" value="${value}" style="rounded=1;fillColor=#dae8fc;strokeColor=#6c8ebf" vertex="1" parent="1"><mxGeometry x="${x}" y="40" width="120" height="60" as="geometry"/></mxCell>`;
const edge = (id, from, to, value) =>
  `<mxCell id="${id}" value="${value}" edge="1" parent="1" source="${from}" target="${to}"><mxGeometry relative="1" as="geometry"/></mxCell>`;
const diagram = `<root><mxCell id="0"/><mxCell id="1" parent="0"/>${box('a', 'Start here', 40)}${box('b', '结束', 260)}${edge('e', 'a', 'b', 'leads')}</root>`;
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><title>A sign</title><rect width="40" height="20" style="fill:#3b5bdb"/><text x="4" y="14" fill="#fff">Hi</text></svg>';

const calls = {
  draw: { name: 'display_diagram', arguments: { xml: diagram } },
  edit: {
    name: 'edit_diagram',
    arguments: { operations: [
      { operation: 'update', cell_id: 'a', new_xml: box('a', 'Begin', 40) },
      { operation: 'add', cell_id: 'c', new_xml: box('c', 'Third', 480) },
      { operation: 'delete', cell_id: 'e' },
    ] },
  },
  sign: { name: 'display_svg', arguments: { svg } },
  broken: { name: 'display_diagram', arguments: { xml: '<mxCell id="a" vertex="1" parent="gone"/>' } },
  cut: { name: 'display_diagram', arguments: { xml: diagram.slice(0, 300) } },
  brokenSvg: { name: 'display_svg', arguments: { svg: '<svg><g></svg>' } },
  search: { name: 'edit_diagram', arguments: { edits: [{ search: 'a', replace: 'b' }] } },
};

/** Counts in the page how often something drawn is asked for its size. */
function countMeasurements() {
  const { getBBox } = SVGGraphicsElement.prototype;
  window.measured = 0;
  SVGGraphicsElement.prototype.getBBox = function () {
    ++window.measured;
    return getBBox.call(this);
  };
}

for (const streaming of [true, false])
  test(`the canvas, ${streaming ? 'streamed' : 'in one piece'}`, { timeout: 280000 }, async (t) => {
    const answer = ({ messages }) => {
      const last = messages.at(-1);
      return last.role === 'tool' ? { text: `Told: ${last.content}` } : { calls: [calls[last.content]] };
    };
    const model = await startFakeModel(t, answer, streaming ? undefined : answerWhole);
    const troupe = await startTroupe(t, {
      models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    });
    const page = await openPage(t, troupe.url, { settings: { streaming } });
    const { answers, send } = parts(page);
    const figure = page.getByRole('figure', { name: 'Diagram' });
    const told = (words) => until(`the model is told ${words}`, async () => words.test(await answers.last().innerText()), 15000);

    await t.test('a diagram opens the canvas, and the model is told what it shows', async () => {
      await page.evaluate(countMeasurements);
      await ask(page, 'draw');
      await told(/Told: Diagram shown: 2 shapes, 1 connection\./);
      await send.waitFor();
      assert.equal(model.requests[0].stream ?? false, streaming);
      await until('it is drawn', async () => (await figure.locator('svg text').count()) >= 3);
      assert.match(await figure.innerText(), /Start here/);
      await until('it is told in words', async () => /Start here to 结束: leads/.test(await figure.locator('figcaption').textContent()));
      assert.equal(await page.evaluate(() => window.measured), 0, 'each would lay the whole drawing out anew');
    });

    await t.test('the drawing fits into its place, before and after that changes', async () => {
      const fits = () => figure.evaluate((it) => {
        const place = it.getBoundingClientRect();
        const drawn = it.querySelector('.drawing svg > g').getBoundingClientRect();
        const label = [...it.querySelectorAll('g')].findLast((each) => each.textContent === 'leads');
        const [behind, words] = ['rect', 'text'].map((each) => label.querySelector(each).getBoundingClientRect());
        return drawn.left >= place.left && drawn.right <= place.right && drawn.width > place.width / 2 &&
          behind.left <= words.left && behind.right >= words.right && behind.width < words.width + 10;
      });
      await until('it fits', fits);
      const before = await figure.evaluate((it) => Object.assign(it.querySelector('text'), { old: true }).textContent);
      await page.setViewportSize({ width: 1100, height: 800 });
      await until('it fits again', fits);
      await page.setViewportSize({ width: 1280, height: 800 });
      await until('it fits as before', fits);
      assert.ok(await figure.evaluate((it) => it.querySelector('text').old), `${before} is not drawn anew`);
    });

    await t.test('an edit changes it by ids, and Undo takes it back', async () => {
      await ask(page, 'edit');
      await told(/Diagram shown: 3 shapes, 0 connections/);
      await until('it is drawn', async () => /Begin[^]*Third/.test(await figure.locator('figcaption').textContent()));
      await page.getByRole('complementary', { name: 'Canvas' }).getByRole('button', { name: 'Undo' }).click();
      await until('it is back', async () => /Start here to 结束/.test(await figure.locator('figcaption').textContent()));
    });

    await t.test('after a reload the canvas is as the calls have drawn it', async () => {
      await page.reload();
      await until('it is drawn', async () => /Begin[^]*Third/.test(await figure.locator('figcaption').textContent()));
    });

    await t.test('an SVG is a picture', async () => {
      await ask(page, 'sign');
      await told(/Drawing shown/);
      const image = figure.getByRole('img', { name: 'A sign' });
      await until('it is there', () => image.evaluate((it) => it.complete && it.naturalWidth > 0));
    });

    await t.test('what cannot be drawn is told to the model with its reason, and the canvas stays', async () => {
      for (const [what, words] of [
        ['broken', /parent "gone" of "a"/], ['cut', /not well formed/], ['brokenSvg', /<\/svg> closes <g>/],
        ['search', /search and replace are not supported/],
      ]) {
        await ask(page, what);
        await told(words);
        await send.waitFor();
      }
      await until('each of them is shown', async () => (await page.getByText('failed', { exact: true }).count()) === 4);
      await figure.getByRole('img', { name: 'A sign' }).waitFor();
    });
  });
