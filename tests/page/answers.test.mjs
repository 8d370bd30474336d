// What stands in the messages: Markdown as elements, answers that grow, long chats.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { models, startModel, startTroupe } from '../integration/support/servers.mjs';
import { openPage, parts } from './support/browser.mjs';
import { handWritten } from './support/hand_written.mjs';
import { keepChat } from './support/kept_chat.mjs';

/** In the page: an element as `name(children)`, without what only looks good. */
function shapeOf(root) {
  const skipped = new Set(['DIV', 'SPAN', 'THEAD', 'TBODY', 'BUTTON', 'svg']);
  const of = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.hidden || node.matches('button, .code-head')) return '';
    if (node.localName === 'math') return '∑';
    const inner = [...node.childNodes].map(of).join('');
    return skipped.has(node.tagName) ? inner : `${node.localName}(${inner})`;
  };
  return of(root);
}

const written = [
  ['plain *it* **bold** ~~gone~~ `code`', 'p(plain em(it) strong(bold) del(gone) code(code))'],
  ['# One\n\n### Three', 'h3(One)h5(Three)'],
  ['- a\n- b\n  - c', 'ul(li(a)li(bul(li(c))))'],
  ['3. a\n4. b', 'ol(li(a)li(b))'],
  ['- [x] done\n- [ ] open', 'ul(li(input()done)li(input()open))'],
  ['> quoted\n> `more`', 'blockquote(p(quoted\ncode(more)))'],
  ['| a | b |\n|:--|--:|\n| `x\\|y` | **2** |', 'table(tr(th(a)th(b))tr(td(code(x|y))td(strong(2))))'],
  ['one  \ntwo', 'p(onebr()two)'],
  ['a\n\n---\n\nb', 'p(a)hr()p(b)'],
  ['```js\nlet half', 'pre(code(let half))'],
  ['````md\n```js\nlet a;\n```\n````', 'pre(code(```js\nlet a;\n```))'],
  ['~~~\n``` inside\n~~~', 'pre(code(``` inside))'],
  ['    four spaces', 'pre(code(four spaces))'],
  ['an `half', 'p(an `half)'],
  ['a **half', 'p(a **half)'],
  ['[a link](https://example.org) <https://example.org/b>', 'p(a(a link) a(https://example.org/b))'],
  ['[bad](javascript:x)', 'p(bad)'],
  ['![a picture](https://example.org/a.png)', 'p(a(a picture))'],
  ['<b>not bold</b> & &amp; &lt;', 'p(<b>not bold</b> & & <)'],
  ['<div>\nblock\n</div>', 'p(<div>\nblock\n</div>)'],
  ['It costs $5, or $10 with $VAT.', 'p(It costs $5, or $10 with $VAT.)'],
  ['$x^2$ and \\(y\\) and $$z$$', 'p(∑ and ∑ and ∑)'],
  ['\\[\nx\n\\]', '∑'],
  ['a $\\frac{1}$ b', 'p(a code($\\frac{1}$) b)'],
  ['`$x$` and \\$5', 'p(code($x$) and $5)'],
  ['中文**重点**，价格$5。', 'p(中文strong(重点)，价格$5。)'],
  ['这是**「重点」**内容，约3~5天 ~~旧~~', 'p(这是strong(「重点」)内容，约3~5天 del(旧))'],
  ['见https://example.org/a，当$x$时', 'p(见a(https://example.org/a)，当∑时)'],
  ['$5/month: `$x$` or $A:$B', 'p($5/month: code($x$) or $A:$B)'],
];

test('Markdown becomes elements', { timeout: 280000 }, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url, ['echo']) });
  await keepChat(troupe.url, 'written', written.flatMap(([source], n) => [`Question ${n}`, source]));
  const page = await openPage(t, `${troupe.url}/#/chat/written`, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { answers } = parts(page);
  await until('all are there', async () => (await answers.count()) === written.length);

  await t.test('every form of it', async () => {
    for (const [n, [source, shape]] of written.entries()) {
      const text = answers.nth(n).locator('.markdown');
      await text.scrollIntoViewIfNeeded();
      await until(`${JSON.stringify(source)} is ${shape}`, async () => {
        const found = await text.evaluate(shapeOf);
        return found === shape || assert.fail(found);
      });
    }
  });

  await t.test('copying gives the source, and a block of code its text', async () => {
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    const maths = written.findIndex(([source]) => source.startsWith('$x^2$'));
    await answers.nth(maths).hover();
    await answers.nth(maths).getByRole('button', { name: 'Copy', exact: true }).click();
    await until('it is copied', async () => (await clipboard()) === written[maths][0]);
    const code = written.findIndex(([source]) => source.startsWith('````md'));
    await answers.nth(code).getByRole('button', { name: 'Copy code' }).click();
    await until('it is copied', async () => (await clipboard()) === '```js\nlet a;\n```');
  });
});

test('Arabic and Hebrew are read from the right', { timeout: 280000 }, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url, ['echo']) });
  const answer = 'مرحبا `x = 1` هنا\n\n- واحد\n\n- اثنان\n  - three\n\n> اقتباس\n\n| עמודה | b |\n|---|---|\n| 1 | 2 |\n\nEnglish words\n\n- [ ] open task';
  await keepChat(troupe.url, 'right', ['שלום עולם', answer]);
  const page = await openPage(t, `${troupe.url}/#/chat/right`);
  const { answers, questions, box } = parts(page);
  await answers.waitFor();
  const direction = (what) => what.evaluate((it) => getComputedStyle(it).direction);
  const text = answers.locator('.markdown');
  for (const [block, dir] of [['> p >> nth=0', 'rtl'], ['> ul >> nth=0', 'rtl'], ['blockquote', 'rtl'], ['table', 'rtl'], ['> p >> nth=1', 'ltr'], ['> ul >> nth=1', 'ltr'], ['code', 'ltr']])
    assert.equal(await direction(text.locator(block).first()), dir, block);
  assert.equal(await direction(questions.locator('.plain')), 'rtl');
  const quote = await text.locator('blockquote').evaluate((it) => getComputedStyle(it).borderRightWidth);
  assert.equal(quote, '3px', 'its line stands where it begins');
  const task = text.locator('li.task');
  const gap = await task.evaluate((it) => {
    const words = document.createRange();
    words.selectNodeContents(it);
    words.setStartAfter(it.querySelector('input'));
    return words.getBoundingClientRect().left - it.querySelector('input').getBoundingClientRect().right;
  });
  assert.ok(gap >= 4, `a box does not touch its words: ${gap}`);
  await box.fill('שלום');
  assert.equal(await direction(box), 'rtl');
  await questions.hover();
  await questions.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await direction(page.getByRole('textbox', { name: 'Edit message' })), 'rtl');
});

test('an answer grows where its reader reads', { timeout: 280000 }, async (t) => {
  const hand = handWritten();
  const model = await startFakeModel(t, () => ({ byHand: true }), hand.write);
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
  });
  const page = await openPage(t, troupe.url);
  const { box, send, answers } = parts(page);
  await box.fill('Tell me');
  await send.click();
  const pen = await hand.begun();

  await t.test('blocks that are complete are left alone, with what is selected in them', async () => {
    pen.text('First paragraph.\n\nSecond **one**.\n\n```js\nlet a');
    await answers.getByText('let a').waitFor();
    await answers.locator('p').first().evaluate((it) => {
      it.old = true;
      getSelection().selectAllChildren(it);
    });
    pen.text(' = 1;\n```\n\n| a | b |\n|---|---|\n| 1 ');
    await answers.getByRole('table').waitFor();
    pen.text('| 2 |\n\nThe end.');
    await answers.getByText('The end.').waitFor();
    assert.ok(await answers.locator('p').first().evaluate((it) => it.old));
    assert.equal(await page.evaluate(() => String(getSelection())), 'First paragraph.');
    await answers.locator('.c-keyword').waitFor();
  });

  await t.test('of a long text only the end changes', async () => {
    pen.text('\n\n');
    pen.text('word '.repeat(1000));
    const last = answers.locator('.markdown > p').last();
    await until('it is there', async () => (await last.textContent()).length > 4900);
    await page.evaluate(() => {
      window.changed = [];
      const watch = new MutationObserver((all) => window.changed.push(...all.map((each) => each.target.data?.length ?? each.type)));
      watch.observe([...document.querySelectorAll('article .markdown > p')].at(-1), { subtree: true, childList: true, characterData: true });
    });
    pen.text('and an end');
    await until('it came', async () => /and an end$/.test(await last.textContent()));
    const changed = await page.evaluate(() => window.changed);
    assert.ok(changed.length >= 1 && changed.every((each) => each <= 1300), JSON.stringify(changed));
    pen.end('stop');
    await send.waitFor();
  });
});

test('a long chat', { timeout: 280000 }, async (t) => {
  const model = await startModel(t);
  const troupe = await startTroupe(t, { models: models(model.url, ['echo']) });
  await keepChat(troupe.url, 'long', Array.from({ length: 650 }, (_, n) => `Message number ${n}, which has some words more than one line of a narrow window takes.`));
  const page = await openPage(t, `${troupe.url}/#/chat/long`, { viewport: { width: 700, height: 500 } });
  const { log } = parts(page);
  const articles = log.getByRole('article');
  const earlier = page.getByRole('button', { name: 'Show earlier messages' });
  const top = (n) => log.locator(`[data-id="m${n}"]`).evaluate((it) => it.getBoundingClientRect().top);

  await t.test('shows its end, and earlier messages on demand, without moving what is read', async () => {
    await until('the last 200 are there', async () => (await articles.count()) === 200);
    await until('the end is in view', () => log.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight < 3));
    await earlier.scrollIntoViewIfNeeded();
    await until('it is near', async () => (await top(450)) > 0);
    await earlier.click();
    await until('400 are there', async () => (await articles.count()) === 400);
    await until('what was read is where it was', async () => {
      const now = await top(450);
      return (now > 0 && now < 500) || assert.fail(`at ${now}`);
    });
  });

  await t.test('they come by themselves when the reader nears the first one', async () => {
    await log.evaluate((it) => void (it.scrollTop = 500));
    await log.hover();
    await page.mouse.wheel(0, -50);
    await until('600 are there', async () => (await articles.count()) === 600);
    await earlier.focus();
    await page.keyboard.press('Enter');
    await until('all are there', async () => (await articles.count()) === 650);
    assert.equal(await earlier.count(), 0);
    await until('the keys still work', () => log.evaluate((it) => it === document.activeElement));
  });
});
