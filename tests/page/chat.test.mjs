// One chat: questions, answers, Stop, reload, errors, changes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { ask, hold, openIn, openPage, parts } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const timeout = 280000;
const scripts = ['echo', 'text', 'paced-20-3000', 'reasoning', 'error-400', 'error-500', 'cut', 'empty', 'length', 'filtered'];

test('one chat', { timeout }, async (t) => {
  const troupe = await startServer(t, scripts);
  const stats = () => troupe.model.stats();

  await t.test('a question is answered, and the address, the list and the usage know it', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'text' } });
    const { box, answers, questions, list } = parts(page);
    await until('the box has the focus', () => box.evaluate((it) => it === document.activeElement));
    await ask(page, 'Hello there');
    assert.equal(await questions.count(), 1);
    assert.equal(await answers.count(), 1);
    await list.getByRole('link', { name: 'Hello there' }).waitFor();
    assert.match(await page.locator('.usage').innerText(), /\d+ in, \d+ out/);
    assert.equal(await box.inputValue(), '');
    const shown = await answers.innerText();
    await page.reload();
    await until('it is there again', async () => (await answers.innerText()) === shown);
    await page.getByRole('button', { name: 'New chat' }).click();
    await answers.waitFor({ state: 'detached' });
    await until('the box has the focus', () => box.evaluate((it) => it === document.activeElement));
  });

  await t.test('Stop ends the answer and its request, and what came stays', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-20-3000' } });
    const { box, send, stop, answers } = parts(page);
    await box.fill('Count');
    await send.click();
    await until('some text came', async () => /\w/.test(await answers.innerText()));
    assert.equal(await send.count(), 0, 'never both');
    const { aborted } = await stats();
    await stop.click();
    await send.waitFor();
    await until('the model was told', async () => (await stats()).aborted === aborted + 1);
    await answers.getByText('Stopped').waitFor();
    await page.reload();
    await until('what came is there, and that it was stopped', async () => /\w[^]*Stopped/.test(await answers.innerText()));
  });

  await t.test('Stop counts before the question is on its way, too', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'echo' } });
    const { box, send, stop, answers } = parts(page);
    await ask(page, 'hello');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('paced-20-3000');
    const goOn = await hold(page, '**/api/chat');
    await box.fill('Count');
    await send.click();
    await Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/stop')), stop.click()]);
    goOn();
    await send.waitFor();
    await until('it is stopped', async () => /Stopped/.test(await answers.last().innerText()));
  });

  await t.test('a question that was stopped before the server took it is not sent by itself', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'echo' } });
    const { box, send, stop, questions } = parts(page);
    await ask(page, 'hello');
    await page.reload(); // what the first turn has the page tell the server is told
    await questions.waitFor();
    const goOn = await hold(page, '**/v1/conversations?limit*'); // what a question waits for after a choice
    const chosen = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('paced-20-3000');
    await chosen;
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/api/chat') && answer.status() === 412);
    await box.fill('Count');
    await send.click();
    await questions.nth(1).waitFor();
    await questions.nth(1).evaluate((it) => {
      window.fewest = 2;
      const count = () => (window.fewest = Math.min(window.fewest, document.querySelectorAll('article[aria-label^="You:"]').length));
      new MutationObserver(count).observe(it.closest('[role=log]'), { subtree: true, childList: true });
    });
    await stop.click();
    await refused;
    await page.getByRole('alert').getByText('your message is not sent yet').waitFor();
    goOn();
    await send.waitFor();
    await until('it stands below what the chat has', async () => (await questions.count()) === 2);
    assert.equal(await page.evaluate(() => window.fewest), 2, 'and was there all the time');
    const chat = await (await fetch(`${troupe.url}/v1/conversations/${page.url().split('/').at(-1)}`)).json();
    assert.equal(chat.messages.filter(({ role }) => role === 'user').length, 1);
  });

  await t.test('a reload and a second tab see the running answer, and Stop works there', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-20-3000' } });
    const { box, send, stop, answers } = parts(page);
    await box.fill('Count');
    await send.click();
    await until('some text came', async () => /\w/.test(await answers.innerText()));
    const other = await openIn(page.context(), page.url());
    await page.reload();
    await stop.waitFor();
    await parts(other).stop.waitFor();
    await answers.waitFor(); // one
    await until('the second tab shows it', async () => /\w/.test(await parts(other).answers.innerText()));
    await parts(other).stop.click();
    await send.waitFor();
    await parts(other).send.waitFor();
    assert.equal(await parts(other).questions.count(), 1);
    await until('both show the same', async () => {
      const texts = [await answers.innerText(), await parts(other).answers.innerText()];
      return texts[0] === texts[1] || assert.fail(texts.join(' | '));
    });
  });

  await t.test('a chat goes on with the model that it was begun with, until another is chosen', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'text' } });
    const { answers } = parts(page);
    const model = page.getByRole('combobox', { name: 'Model' });
    await ask(page, 'early words');
    await ask(page, 'later words');
    assert.doesNotMatch((await answers.allTextContents()).join(), /words/, 'no echo answered');
    assert.equal(await model.inputValue(), 'text');
    await page.reload();
    await answers.nth(1).waitFor();
    await until('it is chosen again', async () => (await model.inputValue()) === 'text'); // the list of models comes when it comes
    await model.selectOption('echo');
    await answers.last().getByRole('button', { name: 'Regenerate' }).click();
    await until('the other answers', async () => /later words/.test(await answers.last().innerText()));
  });

  await t.test('a model that the server has not any more is not asked for', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'of-old' } });
    const model = page.getByRole('combobox', { name: 'Model' });
    await model.getByRole('option', { name: 'echo' }).waitFor({ state: 'attached' });
    assert.equal(await model.inputValue(), '');
    await ask(page, 'still there?');
    await until('the default answers', async () => /still there/.test(await parts(page).answers.innerText()));
  });

  await t.test('what a model thinks is folded away', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'reasoning' } });
    await ask(page, 'Think');
    await page.getByText('Thoughts').click();
    await page.locator('.reasoning .markdown').waitFor();
  });

  await t.test('a turn that fails says why, keeps the question, and can be tried again', async (t) => {
    for (const script of ['error-400', 'error-500', 'cut']) {
      const page = await openPage(t, troupe.url, { settings: { model: script } });
      const { box, send, questions, answers } = parts(page);
      await box.fill('Are you there?');
      await send.click();
      const alert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });
      await alert.waitFor();
      assert.match(await alert.innerText(), /\w{4}/);
      assert.equal(await questions.count(), 1);
      const came = script === 'cut' ? await answers.innerText() : '';
      await page.reload();
      await alert.waitFor();
      if (script === 'cut') assert.equal(await answers.innerText(), came, 'what came of the answer stays');
      await page.getByRole('combobox', { name: 'Model' }).selectOption('echo');
      await alert.getByRole('button', { name: 'Try again' }).click();
      await until('it is answered', async () => /Are you there/.test(await answers.innerText()));
      await alert.waitFor({ state: 'detached' });
      assert.equal(await questions.count(), 1, script);
    }
  });

  await t.test('an answer of nothing, and one that the model has cut, say so', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'empty' } });
    const { box, send, questions, answers } = parts(page);
    const alert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });
    const choose = (script) => page.getByRole('combobox', { name: 'Model' }).selectOption(script);
    await box.fill('Is there anything?');
    await send.click();
    await alert.getByText('The model answered nothing.').waitFor();
    await page.reload();
    await alert.getByText('The model answered nothing.').waitFor();
    await choose('echo');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await answers.getByText('Is there anything?').waitFor();
    await alert.waitFor({ state: 'detached' });
    assert.equal(await questions.count(), 1);
    for (const [script, words] of [['length', /This answer is cut/], ['filtered', /cut this answer off/]]) {
      await choose(script);
      await ask(page, script);
      await answers.last().getByText(words).waitFor();
    }
    await choose('echo');
    await ask(page, 'and whole');
    assert.equal(await page.getByText(/cut this answer off/).count(), 0);
  });

  await t.test('with the setting for it Enter is a line, and Ctrl+Enter sends', async (t) => {
    const page = await openPage(t, `${troupe.url}/#/settings/chat`);
    await page.getByRole('combobox', { name: 'Send with' }).selectOption('Ctrl+Enter');
    await page.getByRole('button', { name: 'New chat' }).click();
    const { box, questions, answers } = parts(page);
    await box.pressSequentially('one');
    await box.press('Enter');
    await box.pressSequentially('two');
    assert.equal(await box.inputValue(), 'one\ntwo');
    await box.press('Control+Enter');
    await answers.waitFor();
    assert.match(await questions.innerText(), /one\ntwo/);
  });

  await t.test('on a phone Enter is a line, unless the reader has chosen otherwise', async (t) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    for (const [settings, sent] of [[{ model: 'echo' }, 0], [{ model: 'echo', sendWith: 'enter' }, 1]]) {
      const page = await openPage(t, troupe.url, { ...phone, settings });
      const { box, questions, send } = parts(page);
      await box.fill('one');
      await box.press('Enter');
      await until('the key has done its work', async () => (await box.inputValue()) === (sent ? '' : 'one\n'));
      if (!sent) await send.click();
      await questions.waitFor();
    }
  });

  await t.test('a change in a tab that does not know of another\'s is refused, and shows what there is', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'echo' } });
    await ask(page, 'the one');
    const other = await openIn(page.context(), page.url());
    await parts(other).answers.waitFor();
    await ask(other, 'the other');
    assert.equal(await parts(page).answers.count(), 1, 'this tab does not know yet');
    await parts(page).answers.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('alert').getByText('This chat was changed in another place.').waitFor();
    await until('it shows both answers', async () => (await parts(page).answers.count()) === 2 && /the other/.test(await parts(page).answers.last().innerText()));
  });

  await t.test('an answer is made anew, a question replaced, and both can be undone', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'echo' } });
    const { answers, questions, list } = parts(page);
    await ask(page, 'first');
    await ask(page, 'second');
    await answers.nth(1).getByRole('button', { name: 'Regenerate' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await until('it is there again', async () => (await answers.count()) === 2);
    await parts(page).send.waitFor();
    await questions.nth(0).hover();
    await questions.nth(0).getByRole('button', { name: 'Edit' }).click();
    await page.getByText('2 answers').waitFor();
    await page.getByRole('textbox', { name: 'Edit message' }).fill('changed');
    await page.getByRole('button', { name: 'Save and ask' }).click();
    await until('one answer is left', async () => (await answers.count()) === 1 && /changed/.test(await answers.innerText()));
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('all is back', async () => (await answers.count()) === 2 && /first/.test(await answers.first().innerText()));
    await until('it is one chat', async () => (await list.getByRole('link', { name: 'first' }).count()) === 1);
  });

  await t.test('a branch is a copy up to a message', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'echo' } });
    const { answers } = parts(page);
    await ask(page, 'one');
    await ask(page, 'two');
    const before = page.url();
    await answers.first().hover();
    await answers.first().getByRole('button', { name: 'Branch' }).click();
    await page.getByText('This is a copy; the other chat is as it was.').waitFor();
    await until('it is another chat', async () => page.url() !== before && (await answers.count()) === 1);
    const { list } = parts(page);
    const branch = list.getByRole('link', { name: 'one (branch)', exact: true });
    await branch.waitFor();
    await ask(page, 'three');
    await answers.first().getByRole('button', { name: 'Branch' }).click();
    await until('a branch of a branch has its name', async () => (await branch.count()) === 2);
    await page.goto(before);
    await until('the first chat is as it was', async () => (await answers.count()) === 2 && /two/.test(await answers.last().innerText()));
  });

  await t.test('a question that would cut more than one answer can be changed in a branch instead', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'echo' } });
    const { box, answers, questions } = parts(page);
    await ask(page, 'one');
    await ask(page, 'two');
    await ask(page, 'three');
    const before = page.url();
    await questions.nth(2).hover();
    await questions.nth(2).getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('textbox', { name: 'Edit message' });
    await until('the form takes keys', () => form.evaluate((it) => it === document.activeElement));
    assert.equal(await page.getByRole('button', { name: 'Edit in a branch' }).count(), 0, 'it cuts one answer only');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    for (const [at, left] of [[1, 1], [0, 0]]) {
      await page.goto(before);
      await until('all is there', async () => (await answers.count()) === 3);
      await questions.nth(at).hover();
      await questions.nth(at).getByRole('button', { name: 'Edit' }).click();
      await page.getByText(`${3 - at} answers`).waitFor();
      await page.getByRole('textbox', { name: 'Edit message' }).fill(`other ${at}`);
      await page.getByRole('button', { name: 'Edit in a branch' }).click();
      await until('what is before it is there, and the question in the box', async () =>
        page.url() !== before && (await answers.count()) === left && (await box.inputValue()) === `other ${at}`);
      await box.press('Enter');
      await until('it is answered', async () => new RegExp(`other ${at}`).test(await answers.last().innerText()));
    }
    await page.goto(before);
    await until('nothing is lost', async () => (await answers.count()) === 3);
  });
});
