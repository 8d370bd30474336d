// The box: drafts, input methods, files, long texts; following the end; what readers hear.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { ask, hold, openPage, parts, resting } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const timeout = 280000;

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('the box', { timeout }, async (t) => {
  const troupe = await startServer(t, ['echo', 'paced-200-400', 'paced-50-3000']);

  await t.test('a draft is kept for each chat, over a reload', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box } = parts(page);
    await box.fill('not sent yet');
    await until('it is kept while one stays', () => page.evaluate(() => JSON.stringify(localStorage).includes('not sent yet')));
    const first = page.url();
    await page.getByRole('button', { name: 'New chat' }).click();
    await until('the new box is empty', async () => (await box.inputValue()) === '');
    await page.goto(first);
    await until('the draft is back', async () => (await box.inputValue()) === 'not sent yet');
    await page.reload();
    await until('the draft is back', async () => (await box.inputValue()) === 'not sent yet');
  });

  await t.test('the box grows with its text, also where the browser does not do that by itself', async (t) => {
    for (const byItself of [true, false]) {
      const page = await openPage(t, `${troupe.url}/#/settings/about`);
      if (!byItself) {
        await page.addInitScript(() => {
          const { supports } = CSS;
          CSS.supports = (...asked) => asked[0] !== 'field-sizing' && supports.apply(CSS, asked);
        });
        await page.reload();
        await page.evaluate(() => document.styleSheets[0].insertRule('.composer textarea { field-sizing: fixed !important }'));
      }
      await page.getByRole('button', { name: 'New chat' }).click();
      const { box } = parts(page);
      const height = () => box.evaluate((it) => it.offsetHeight);
      const one = await height();
      await box.fill('one\ntwo\nthree\nfour');
      await until('four lines are seen', async () => (await height()) > one + 60);
      await box.fill('line\n'.repeat(200));
      await until('no more than the window has room for', async () => (await height()) < 400 && (await height()) > 200);
      await box.fill('');
      await until('it is small again', async () => (await height()) === one);
    }
  });

  await t.test('a box that comes up has the focus before it can be seen, so that nothing typed is lost or out of place', async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'a question');
    const inOneTask = (button) =>
      button.evaluate(async (it) => {
        it.click();
        await new Promise((resolve) => setTimeout(resolve));
        const { value, selectionStart, role } = document.activeElement;
        return { value, selectionStart, role };
      });
    const edit = parts(page).questions.getByRole('button', { name: 'Edit' });
    assert.deepEqual(await inOneTask(edit), { value: 'a question', selectionStart: 10, role: null });
    await page.keyboard.press('Escape');
    assert.equal((await inOneTask(page.getByRole('button', { name: 'Actions of a question' }))).role, 'menuitem');
    const { value, selectionStart } = await inOneTask(page.getByRole('menuitem', { name: 'Rename' }));
    assert.deepEqual({ value, selectionStart }, { value: 'a question', selectionStart: 0 });
  });

  await t.test('Enter that ends the choice of a word does not send; Shift+Enter is a line', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, questions } = parts(page);
    await box.focus();
    const input = await page.context().newCDPSession(page);
    await input.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    await input.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 });
    await input.send('Input.insertText', { text: '你' });
    assert.equal(await box.inputValue(), '你');
    await box.press('Shift+Enter');
    await box.pressSequentially('line');
    assert.equal(await box.inputValue(), '你\nline');
    assert.equal(await questions.count(), 0);
    await box.press('Enter');
    await questions.waitFor();
    assert.match(await questions.innerText(), /你\nline/);
  });

  await t.test('a picture and a text file go with a question; a megabyte that is pasted becomes a file', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, questions } = parts(page);
    const list = page.getByRole('list', { name: 'Attachments' });
    await page.locator('input[type=file]').setInputFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('what I noted') },
      { name: 'x.bin', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 255, 1]) },
    ]);
    await page.getByText(/x\.bin is no picture/).waitFor();
    await until('two are taken', async () => (await list.getByRole('listitem').count()) === 2);
    await box.evaluate((it) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'word '.repeat(200000));
      it.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await list.getByText('pasted-3.txt').waitFor();
    assert.equal(await box.inputValue(), '');
    await list.getByRole('button', { name: 'Remove pasted-3.txt' }).click();
    await ask(page, 'Look at these');
    assert.equal(await list.count(), 0);
    await page.reload();
    await questions.getByRole('img', { name: 'dot.png' }).waitFor();
    await questions.getByText('notes.txt').first().waitFor();
    const { body } = (await troupe.model.requests()).at(-1);
    const asked = JSON.stringify(body.messages.at(-1));
    assert.match(asked, /what I noted/);
    assert.match(asked, /data:image\/png;base64/);
  });

  await t.test('pictures and texts are pasted and dropped', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box } = parts(page);
    const list = page.getByRole('list', { name: 'Attachments' });
    const give = (kind, name, type, base64) =>
      box.evaluate((it, [kind, name, type, base64]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name, { type }));
        const how = { bubbles: true, cancelable: true };
        it.dispatchEvent(kind === 'paste' ? new ClipboardEvent('paste', { clipboardData: data, ...how }) : new DragEvent('drop', { dataTransfer: data, ...how }));
      }, [kind, name, type, base64]);
    await give('paste', 'shot.png', 'image/png', pixel);
    await list.locator('img').waitFor();
    await give('drop', 'notes.md', 'text/markdown', Buffer.from('# noted').toString('base64'));
    await list.getByText('notes.md').waitFor();
    await give('drop', 'tool.exe', 'application/octet-stream', Buffer.from([77, 90, 0, 255]).toString('base64'));
    await page.getByText(/tool\.exe is no picture/).waitFor();
    await list.getByRole('button', { name: 'Remove shot.png' }).click();
    await list.getByText('shot.png').waitFor({ state: 'detached' });
    await ask(page, 'See here');
    const { body } = (await troupe.model.requests()).at(-1);
    const asked = JSON.stringify(body.messages.at(-1));
    assert.match(asked, /# noted/);
    assert.doesNotMatch(asked, /image\/png/);
  });

  await t.test('a large picture, a PDF and a sound go to the server once, and questions only name them', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, questions, answers } = parts(page);
    const list = page.getByRole('list', { name: 'Attachments' });
    const photo = Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(600000, 7)]);
    const sizes = [];
    const goOn = await hold(page, '**/v1/files?*');
    page.on('request', (it) => it.url().endsWith('/api/chat') && sizes.push(it.postData().length));
    await page.locator('input[type=file]').setInputFiles([
      { name: 'photo.png', mimeType: 'image/png', buffer: photo },
      { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 and more') },
      { name: 'memo.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF....WAVEfmt ') },
    ]);
    await list.getByRole('progressbar', { name: 'Uploading photo.png' }).waitFor();
    await box.fill('Look at these');
    assert.equal(await send.isDisabled(), true, 'it waits for the file');
    goOn();
    await until('both are there', async () => (await list.getByRole('listitem').count()) === 3 && (await list.getByRole('progressbar').count()) === 0);
    await send.click();
    await answers.first().waitFor();
    await questions.getByRole('img', { name: 'photo.png' }).waitFor();
    await until('the model was asked', async () => JSON.stringify(await troupe.model.requests()).includes(photo.toString('base64')));
    assert.match(JSON.stringify(await troupe.model.requests()), /audio\/wav memo\.wav was attached; this model takes no audio/);
    assert.ok(sizes.at(-1) < 20000, `the question has ${sizes.at(-1)} bytes`);
    await page.reload();
    const shown = questions.getByRole('img', { name: 'photo.png' });
    await until('it is loaded', () => shown.evaluate((it) => it.complete && it.naturalWidth > 0 && it.src.startsWith('blob:')));
    const saved = page.waitForEvent('download');
    await questions.getByRole('button', { name: 'paper.pdf' }).click();
    assert.equal((await saved).suggestedFilename(), 'paper.pdf');
    const files = async () => (await (await fetch(`${troupe.url}/v1/files`)).json()).data;
    for (const { url } of await files()) await fetch(troupe.url + url, { method: 'DELETE' });
    await page.reload();
    await questions.getByText('This file is not kept any more.').waitFor();
  });

  await t.test('a file that is taken out is deleted; one that is too large says how large it may be', async (t) => {
    const small = await startServer(t, ['echo'], { limits: { maxFileBytes: 400000 } });
    const page = await openPage(t, small.url);
    const list = page.getByRole('list', { name: 'Attachments' });
    const photo = (bytes) => ({ name: 'p.png', mimeType: 'image/png', buffer: Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(bytes)]) });
    await page.locator('input[type=file]').setInputFiles([photo(500000)]);
    await page.getByText(/may have 400000 bytes/).waitFor();
    assert.equal(await list.count(), 0);
    const files = async () => (await (await fetch(`${small.url}/v1/files`)).json()).data.length;
    await page.locator('input[type=file]').setInputFiles([photo(300000)]);
    await until('it is kept', async () => (await files()) === 1 && (await list.getByRole('progressbar').count()) === 0);
    await list.getByRole('button', { name: 'Remove p.png' }).click();
    await until('it is deleted', async () => (await files()) === 0);
  });

  await t.test('the end is followed until the reader goes elsewhere', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-200-400' }, viewport: { width: 900, height: 480 } });
    const { box, send, log, stop, answers } = parts(page);
    await box.fill('line\n'.repeat(30));
    await send.click();
    const fromEnd = () => log.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
    await until('some text came', async () => /\w/.test(await answers.innerText()));
    await until('the end is in view', async () => (await fromEnd()) < 3);
    await log.hover();
    await page.mouse.wheel(0, -120);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const top = await resting(log);
    await send.waitFor({ timeout: 30000 });
    assert.equal(await log.evaluate((it) => it.scrollTop), top, 'nothing moved');
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await until('the end is in view', async () => (await fromEnd()) < 3);
    assert.equal(await stop.count(), 0);
  });

  await t.test('keys, a selection, a finger and the scroll bar let go as well, and the end follows again', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-50-3000' }, viewport: { width: 700, height: 420 } });
    const { box, send, log, stop, answers } = parts(page);
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    const size = () => log.evaluate((it) => ({ top: it.scrollTop, height: it.scrollHeight, end: it.scrollHeight - it.clientHeight }));
    const atEnd = () => until('the end is in view', async () => {
      const { top, end } = await size();
      return end - top < 3;
    });
    /** The answer grows by lines, and nothing moves. */
    const stays = async (why) => {
      await resting(log);
      const before = await size();
      await until(`${why}: the answer grows`, async () => (await size()).height > before.height + 40, 20000);
      assert.equal((await size()).top, before.top, why);
    };
    await box.fill('line\n'.repeat(30));
    await send.click();
    await until('some text came', async () => /\w/.test(await answers.innerText()));
    await atEnd();
    const ways = {
      PageUp: async () => {
        await log.focus();
        await page.keyboard.press('PageUp');
      },
      'a selection': () => answers.locator('p').first().evaluate((it) => getSelection().setBaseAndExtent(it.firstChild, 0, it.firstChild, 10)),
      'a finger': () => log.dispatchEvent('touchmove', { bubbles: true }),
      'the scroll bar': () => log.dispatchEvent('pointerdown', { bubbles: true }),
    };
    for (const [why, act] of Object.entries(ways)) {
      await act();
      await jump.waitFor();
      await stays(why);
      await page.evaluate(() => getSelection().removeAllRanges());
      await log.focus();
      await page.keyboard.press('End');
      await jump.waitFor({ state: 'detached' });
      await atEnd();
    }
    await stop.click();
    await send.waitFor();
  });

  await t.test('who wants to begin at the beginning stays at the question', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-200-400', follow: 'beginning' }, viewport: { width: 700, height: 420 } });
    const { box, send, log, questions, answers } = parts(page);
    await box.fill('What now?');
    await send.click();
    await until('the answer is longer than the window', () => log.evaluate((it) => it.scrollHeight > it.clientHeight + 100), 15000);
    await send.waitFor({ timeout: 30000 });
    const { y } = await questions.boundingBox();
    assert.ok(y >= 0 && y < 200, `the question is in view (${y})`);
    assert.ok((await answers.boundingBox()).height > 420);
  });

  await t.test('who listens hears that it answers, and the first words of the answer', async (t) => {
    const page = await openPage(t, troupe.url);
    await page.evaluate(() => {
      window.heard = [];
      new MutationObserver(() => {
        for (const each of document.querySelectorAll('.chat-main > [role=status]')) window.heard.push(each.textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await ask(page, 'say this again');
    await until('the end is told', () => page.evaluate(() => window.heard.some((each) => /^Answer complete: .*say this/.test(each))));
    const heard = await page.evaluate(() => [...new Set(window.heard)].filter(Boolean));
    assert.equal(heard[0], 'Answering');
    assert.equal(heard.length, 2, 'and not every token');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('paced-50-3000');
    const { box, send, stop, answers } = parts(page);
    const before = await answers.count();
    await box.fill('a long one');
    await send.click();
    await until('some text came', async () => (await answers.count()) > before && /\w/.test(await answers.last().innerText()));
    await stop.click();
    await until('the stop is told', () => page.evaluate(() => window.heard.includes('Stopped')));
  });
});
