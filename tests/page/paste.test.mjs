// A clipboard that has what was copied in several forms: files, their names, a text and its picture.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { openPage, parts } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

/** In the page: pastes as a browser does; returns whether the text is left to the browser. */
function paste(box, { text, names }) {
  const data = new DataTransfer();
  if (text !== undefined) data.setData('text/plain', text);
  for (const name of names) data.items.add(new File([`in ${name}`], name, { type: 'text/plain' }));
  return box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
}

/** In the page: cells of a spreadsheet, as it copies them. */
async function copyCells() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 4, height: 4 });
  canvas.getContext('2d').fillRect(0, 0, 4, 4);
  const picture = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const as = (text, type) => new Blob([text], { type });
  await navigator.clipboard.write([
    new ClipboardItem({
      'text/plain': as('one\ttwo', 'text/plain'),
      'text/html': as('<table><tr><td>one<td>two</table>', 'text/html'),
      'image/png': picture,
    }),
  ]);
}

test('what is pasted', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo']);

  await t.test('is files, also where their names or paths are there as text', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box } = parts(page);
    const list = page.getByRole('list', { name: 'Attachments' });
    const shown = async () => (await list.getByRole('listitem').allInnerTexts()).map((each) => each.split('\n')[0].trim());
    const all = [];
    for (const clipboard of [
      { names: ['shot.txt'] },
      { text: 'notes.txt', names: ['notes.txt'] },
      { text: '/home/me/a plan.txt', names: ['a plan.txt'] },
      { text: 'file:///home/me/%E8%AE%A1%E5%88%92.txt\n', names: ['计划.txt'] },
      { text: 'C:\\me\\one.txt\r\nC:\\me\\two.txt', names: ['one.txt', 'two.txt'] },
    ]) {
      assert.equal(await box.evaluate(paste, clipboard), false, JSON.stringify(clipboard));
      all.push(...clipboard.names);
    }
    await until('all are taken', async () => (assert.deepEqual(await shown(), all), true));
    assert.equal(await box.inputValue(), '');
  });

  await t.test('is text where it says more than which files there are', async (t) => {
    const page = await openPage(t, troupe.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { box } = parts(page);
    for (const text of ['one\ttwo', 'see notes.txt', 'https://example.org/notes.txt'])
      assert.equal(await box.evaluate(paste, { text, names: ['notes.txt'] }), true, text);
    await page.evaluate(copyCells);
    await box.evaluate((it) => it.addEventListener('paste', (event) => (it.dataset.files = event.clipboardData.files.length)));
    await box.press('Control+V');
    await until('the cells are there', async () => (await box.inputValue()) === 'one\ttwo');
    assert.equal(await box.getAttribute('data-files'), '1', 'their picture is there, too');
    assert.equal(await page.getByRole('list', { name: 'Attachments' }).count(), 0);
  });
});
