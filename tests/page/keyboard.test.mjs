// Without a mouse, and without seeing the page: what Tab reaches, where the focus goes when its place
// is gone, what is announced, and how the page is read out.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { connected, everythingOverStdio, startTroupe } from '../integration/support/servers.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const asking = fileURLToPath(new URL('../integration/support/asking_server.mjs', import.meta.url));
const cell = '<mxCell id="a" value="Start" vertex="1" parent="1"><mxGeometry width="80" height="40" as="geometry"/></mxCell>';

/** The keyboard of a page: press(), type(), and what has the focus. */
function hands(page) {
  const focused = () => page.evaluate(() => (document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.innerText ?? document.activeElement.textContent).trim());
  const press = (keys) => page.keyboard.press(keys);
  const isAt = (name) => until(`the focus is at ${name}`, async () => (name.test ? name.test(await focused()) : (await focused()) === name) || assert.fail(await focused()));
  const tabTo = async (name, key = 'Tab') => {
    for (let n = 0; n < 80; ++n) {
      if ((await focused()) === name) return;
      await press(key);
    }
    assert.fail(`${key} does not reach ${name}`);
  };
  return { focused, press, isAt, tabTo, type: (text) => page.keyboard.type(text) };
}

test('tools, forms, prompts, files of servers and the canvas without a mouse', { timeout: 280000 }, async (t) => {
  const model = await startFakeModel(t, ({ messages }) => {
    const last = messages.at(-1);
    if (last.role === 'tool') return { text: `It answered ${last.content}` };
    const [, name, args] = /^(\S+) (\{.*\})$/s.exec(last.content) ?? [];
    return name ? { calls: [{ name, arguments: JSON.parse(args) }] } : { text: `You said ${last.content}` };
  });
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { asking: { command: process.execPath, args: [asking] }, everything: everythingOverStdio() },
    toolApproval: 'always',
  });
  await connected(troupe, 'asking');
  await connected(troupe, 'everything');
  const page = await openPage(t, troupe.url);
  const { answers, send, tool } = parts(page);
  const { press, type, isAt, tabTo, focused } = hands(page);
  const dialog = page.getByRole('dialog');
  await isAt('Message');

  await t.test('a call is allowed, and the form that it asks for filled in', async () => {
    const schema = { type: 'object', properties: { label: { type: 'string', title: 'Label' }, heavy: { type: 'boolean', title: 'Heavy' } }, required: ['label'] };
    await type(`form ${JSON.stringify({ schema })}`);
    await press('Enter');
    await page.getByRole('status').filter({ hasText: 'form waits for you' }).waitFor({ state: 'attached' });
    await isAt('Message');
    await tabTo('Allow', 'Shift+Tab');
    await press('Enter');
    await dialog.getByText('Which box?').waitFor();
    await isAt('Label *');
    await type('red');
    await press('Tab');
    await press('Space');
    await tabTo('Accept');
    await press('Enter');
    await answers.getByText('"label":"red","heavy":true').waitFor();
    await isAt('Message');
  });

  await t.test('a call is denied with a reason', async () => {
    await send.waitFor();
    await type('sample {}');
    await press('Enter');
    await tool('sample').getByRole('button', { name: 'Deny' }).waitFor();
    await tabTo('Reason', 'Shift+Tab');
    await type('not now');
    await tabTo('Deny');
    await press('Enter');
    await tool('sample').getByText('not allowed').waitFor();
    await isAt('Message');
    await send.waitFor();
  });

  await t.test('a prompt is chosen, filled in and asked; another is left by Escape', async () => {
    await type('/');
    await isAt('Choose a prompt');
    await type('args');
    await page.getByRole('option', { name: /args-prompt/, selected: true }).waitFor();
    await press('Enter');
    await isAt(/^city/);
    await type('Oslo');
    await tabTo('Ask');
    await press('Enter');
    await answers.getByText(/Oslo/).first().waitFor();
    await send.waitFor();
    await isAt('Message');
    await type('/');
    await isAt('Choose a prompt');
    await press('Escape');
    await isAt('Message');
    await press('Backspace');
  });

  await t.test('a resource is attached, and taken away again', async () => {
    await type('@');
    await isAt('Choose a resource');
    await page.getByRole('option').nth(8).waitFor({ state: 'attached' });
    for (let n = 0; n < 8; ++n) await press('ArrowDown');
    await until('the one that is chosen is in view', () => page.getByRole('option', { selected: true }).evaluate((it) => {
      const [list, place] = [it.parentElement, it].map((each) => each.getBoundingClientRect());
      return it.previousElementSibling !== null && place.top >= list.top - 1 && place.bottom <= list.bottom + 1;
    }));
    await type('architecture');
    await press('Enter');
    await page.getByRole('list', { name: 'Attachments' }).getByText(/architecture/).waitFor();
    await isAt('Message');
    await tabTo('Remove architecture.md', 'Shift+Tab');
    await press('Enter');
    await page.getByRole('list', { name: 'Attachments' }).waitFor({ state: 'detached' });
    await isAt('Message');
  });

  await t.test('the canvas is reached, and closed', async () => {
    await type(`display_diagram ${JSON.stringify({ xml: cell })}`);
    await press('Enter');
    await page.locator('figure svg text').first().waitFor();
    await send.waitFor();
    await isAt('Message');
    await press('Shift+F6');
    assert.ok(await page.evaluate(() => document.activeElement.closest('.canvas') !== null));
    await tabTo('Close canvas');
    await press('Enter');
    await page.getByRole('figure').waitFor({ state: 'detached' });
    await isAt('Message');
  });

  await t.test('a question is changed, the answer replaced, and that undone', async () => {
    await press('Control+Shift+O');
    await answers.first().waitFor({ state: 'detached' });
    await isAt('Message');
    await type('first');
    await press('Enter');
    await answers.getByText('You said first').waitFor();
    await send.waitFor();
    await press('ArrowUp');
    await isAt('Edit message');
    await press('Escape');
    await isAt(/^You: first/);
    await press('e');
    await isAt('Edit message');
    await type(' and second');
    await press('Enter');
    await answers.getByText('You said first and second').waitFor();
    await send.waitFor();
    await press('Control+Shift+Semicolon');
    await press('F6');
    await isAt('Undo');
    await press('Enter');
    await answers.getByText('You said first', { exact: true }).waitFor();
    assert.notEqual(await focused(), '');
  });
});

test('what Tab reaches, and what is heard and read', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo', 'paced-20-3000', 'error-400'], { demo: true });

  await t.test('Tab reaches all that can be pressed, in the order of the page, and shows where it is', async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'hello');
    const screens = { // and what comes last of each
      '#/settings/servers': page.getByRole('listitem', { name: 'demo' }).getByText('success'),
      '#/settings/chat': page.getByRole('combobox', { name: 'Send with' }),
      '#/settings/data': page.getByRole('region', { name: 'Usage' }).getByRole('row').last(),
      [new URL(page.url()).hash]: parts(page).answers,
    };
    for (const [screen, last] of Object.entries(screens)) {
      await page.goto(`${troupe.url}/${screen}`);
      await last.waitFor();
      await page.evaluate(() => document.activeElement.blur());
      const all = await page.evaluate(() => {
        const can = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(
          (it) => !it.disabled && it.tabIndex >= 0 && it.getClientRects().length > 0 && it.type !== 'file');
        can.forEach((it, at) => (it.dataset.stop = at));
        return can.length;
      });
      const seen = [];
      for (let n = 0; n < all + 20 && seen.length < all; ++n) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(() => {
          const it = document.activeElement;
          const { outlineStyle, outlineWidth } = getComputedStyle(it);
          const shown = (outlineStyle !== 'none' && outlineWidth !== '0px') || it.closest('.composer') !== null;
          return it.dataset.stop === undefined ? undefined : { stop: Number(it.dataset.stop), shown, html: it.outerHTML.slice(0, 120) };
        });
        if (at === undefined || seen.includes(at.stop)) continue;
        assert.ok(at.shown, `${screen}: the focus is seen on ${at.html}`);
        seen.push(at.stop);
      }
      assert.deepEqual([...seen].sort((a, b) => a - b), [...Array(all).keys()], screen);
      assert.ok(seen.filter((stop, n) => n > 0 && stop < seen[n - 1]).length <= 1, `${screen}: once around: ${seen}`);
    }
  });

  await t.test('F6 goes round all parts of the page, and Shift+F6 back', async (t) => {
    const page = await openPage(t, troupe.url);
    const { press, isAt } = hands(page);
    await ask(page, 'hello');
    await isAt('Message');
    for (const [keys, name] of [['F6', 'New chat'], ['F6', 'Messages'], ['F6', 'Message'], ['Shift+F6', 'Messages'], ['Shift+F6', 'New chat'], ['Shift+F6', 'Message']]) {
      await press(keys);
      await isAt(name);
    }
  });

  await t.test('Stop, a failure and a copy are heard', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-20-3000' } });
    const { box, send, stop, answers } = parts(page);
    const heard = page.locator('.chat-main > [role=status]');
    await box.fill('Count');
    await box.press('Enter');
    await heard.filter({ hasText: 'Answering' }).waitFor({ state: 'attached' });
    await until('some text came', async () => /\w/.test(await answers.innerText()));
    await box.press('Escape');
    await send.waitFor();
    await heard.filter({ hasText: 'Stopped' }).waitFor({ state: 'attached' });
    assert.equal(await stop.count(), 0);
    await Promise.all([ // it says so for two seconds
      answers.getByRole('status').filter({ hasText: /Copied/ }).or(page.getByRole('alert')).first().waitFor({ state: 'attached' }),
      answers.getByRole('button', { name: 'Copy', exact: true }).click(),
    ]);
    const other = await openPage(t, troupe.url, { settings: { model: 'error-400' } });
    await parts(other).box.fill('Are you there?');
    await parts(other).box.press('Enter');
    await other.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
  });

  await t.test('a chat is read out as it is: who speaks, what was said, what can be done', async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'hello there');
    await page.getByRole('heading', { name: 'hello there' }).waitFor();
    await parts(page).list.getByRole('link').first().waitFor();
    const tree = await page.getByRole('log', { name: 'Messages' }).ariaSnapshot();
    assert.match(tree, /- '?article "You: hello there"'?:\n\s+- paragraph: hello there\n\s+- button "Copy"\n\s+- button "Edit"\n\s+- button "Branch"/);
    assert.match(tree, /- '?article "Assistant: .*hello there.*"'?:\n\s+- paragraph: .*hello there[^]*- button "Copy"\n\s+- button "Regenerate"\n\s+- button "Branch"/);
    const whole = await page.locator('body').ariaSnapshot();
    assert.match(whole, /- navigation "Chats":[^]*- button "New chat"[^]*- searchbox "Search conversations"[^]*- list "Conversations":[^]*- link "Settings"[^]*- main:[^]*- heading "hello there" \[level=1\][^]*- log "Messages"[^]*- textbox "Message"/);
  });
});
