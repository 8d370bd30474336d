// MCP servers on the page: each flow with real servers.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { binary } from '../integration/support/program.mjs';
import { connected, demoServer, everythingOverStdio } from '../integration/support/servers.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { firstTries, startServer } from './support/server.mjs';

test('MCP servers', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo', 'call'], {
    mcpServers: { everything: everythingOverStdio(), demo: demoServer(), broken: { command: '/nowhere/at-all' } },
  });
  await connected(troupe, 'everything');
  await connected(troupe, 'demo');
  const page = await openPage(t, `${troupe.url}/#/settings`);
  const region = page.getByRole('region', { name: 'MCP servers' });
  const server = (name) => region.getByRole('listitem', { name, exact: true });
  const add = () => page.getByRole('button', { name: 'Add server' }).click();
  const form = page.getByRole('dialog', { name: 'Add server' });

  await t.test('each server shows how it is, what it offers and what it says', async () => {
    const everything = server('everything');
    await everything.getByText('success').waitFor();
    await everything.getByText(/18 tools · 7 resources · 4 prompts/).waitFor();
    await everything.getByRole('button', { name: 'Details' }).click();
    await everything.getByText('Protocol').waitFor();
    const facts = await everything.locator('dl').innerText();
    for (const fact of [/Server\s+\S.* \d+\.\d+/, /Protocol\s+\d{4}-\d\d-\d\d/, /Connected in\s+\d+ ms/, /Capabilities\s+.*tools/])
      assert.match(facts, fact);
    await everything.getByText('Log', { exact: true }).click();
    await everything.getByRole('group', { name: 'Log of everything' }).filter({ hasText: 'Connected' }).waitFor();
    await everything.getByRole('button', { name: 'Less' }).click();
  });

  await t.test('one that cannot start says why, counts its attempts, and is tried again by hand', async () => {
    const broken = server('broken');
    await broken.getByText(/cannot start '\/nowhere\/at-all'/).first().waitFor();
    await broken.getByText(/attempt \d+, next in \d+ s/).waitFor({ timeout: 20000 });
    const begun = await firstTries(troupe, 'broken');
    await broken.getByRole('button', { name: 'Retry broken' }).click();
    await until('it begins to count anew', async () => (await firstTries(troupe, 'broken')) > begun);
    await broken.getByText(/attempt \d+, next in \d+ s/).waitFor();
  });

  await t.test('a server is added by a form, and bad settings name their field', async () => {
    await add();
    await form.getByLabel('Name', { exact: true }).fill('second');
    await form.getByLabel('Command').fill(binary('troupe-demo-mcp'));
    await form.getByLabel(/^Environment/).fill('nonsense');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('env cannot be read: nonsense').waitFor();
    await form.getByLabel(/^Environment/).fill('TROUPE_DEMO_PAGE=3');
    await form.getByRole('button', { name: 'Save' }).click();
    await server('second').getByText('success').waitFor();
    await server('second').getByText('8 tools').waitFor();
  });

  await t.test('pasted settings add several at once, and the server\'s refusal is shown', async () => {
    await add();
    await form.getByText('Paste JSON instead').click();
    const box = form.getByLabel(/mcpServers object/);
    await box.fill('{"mcpServers": {"x": {"command": "y", "argz": []}}}');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText(/argz/).waitFor();
    const entry = { command: binary('troupe-demo-mcp') };
    await box.fill(JSON.stringify({ mcpServers: { third: entry, fourth: entry } }));
    await form.getByRole('button', { name: 'Save' }).click();
    for (const name of ['third', 'fourth']) await server(name).getByText('success').waitFor();
  });

  await t.test('a server is switched off and on, changed, and removed', async () => {
    const toggle = page.getByRole('switch', { name: 'Enable third' });
    await toggle.click();
    await server('third').getByText('idle').waitFor();
    await toggle.click();
    await server('third').getByText('success').waitFor();
    await page.getByRole('button', { name: 'Change fourth' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change fourth' });
    await dialog.getByLabel('Command').fill('/nowhere/else');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await server('fourth').getByText(/\/nowhere\/else/).first().waitFor();
    await page.getByRole('button', { name: 'Remove fourth' }).click();
    await page.getByRole('dialog', { name: 'Remove fourth?' }).getByRole('button', { name: 'Remove' }).click();
    await server('fourth').waitFor({ state: 'detached' });
  });

  await t.test('a tool is tried by hand', async () => {
    await server('demo').getByRole('button', { name: 'Details' }).click();
    await server('demo').getByText('8 tools', { exact: true }).click();
    await page.getByRole('button', { name: 'Try get-sum' }).click();
    const dialog = page.getByRole('dialog', { name: /sum/i });
    await dialog.getByLabel('a *', { exact: true }).fill('19');
    await dialog.getByLabel('b *', { exact: true }).fill('23');
    await dialog.getByRole('button', { name: 'Call' }).click();
    await dialog.getByText('The sum of 19 and 23 is 42.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await t.test('a resource is read, and read anew', async () => {
    const everything = server('everything');
    await everything.getByRole('button', { name: 'Details' }).click();
    await everything.getByText('7 resources', { exact: true }).click();
    await everything.getByRole('button', { name: /^Read / }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('group', { name: /^Result of/ }).waitFor();
    await dialog.getByRole('button', { name: 'Refresh' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await t.test('a resource goes with a question', async () => {
    await page.getByRole('button', { name: 'New chat' }).click();
    const { box, questions } = parts(page);
    await box.pressSequentially('@');
    const picker = page.getByRole('combobox', { name: 'Choose a resource' });
    await picker.fill('architecture');
    await page.getByRole('option', { name: /architecture/, selected: true }).waitFor();
    await picker.press('Enter');
    const list = page.getByRole('list', { name: 'Attachments' });
    await list.getByText(/architecture/).waitFor();
    await until('it is loaded', async () => /KB|\d B/.test(await list.innerText()));
    assert.equal(await box.inputValue(), '');
    await ask(page, 'What is in it?');
    assert.equal(await list.count(), 0);
    await questions.getByText(/architecture/).first().waitFor();
    const requests = await troupe.model.requests();
    assert.match(JSON.stringify(requests.at(-1).body.messages), /architecture/);
    await page.reload();
    await questions.getByText(/architecture/).first().waitFor();
  });

  await t.test('a resource that cannot be read says so in its place', async () => {
    const { box } = parts(page);
    await box.pressSequentially('@');
    await page.getByRole('combobox', { name: 'Choose a resource' }).fill('Dynamic Text');
    await page.getByRole('option', { name: /Dynamic Text/ }).click();
    await page.getByRole('dialog').getByLabel(/^resourceId/).fill('no number');
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    const list = page.getByRole('list', { name: 'Attachments' });
    await list.getByText(/refused resources\/read: Unknown resource/).waitFor();
    await list.getByRole('button', { name: /^Remove/ }).click();
    await list.waitFor({ state: 'detached' });
  });

  await t.test('a prompt has its arguments, which are completed, and is looked at before it is asked', async () => {
    const { box, questions, send } = parts(page);
    await box.pressSequentially('/');
    const picker = page.getByRole('combobox', { name: 'Choose a prompt' });
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await picker.fill('completable');
    await page.getByRole('option', { name: /completable/, selected: true }).waitFor();
    await picker.press('Enter');
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel(/^department/);
    await field.pressSequentially('E');
    await until('it is completed', () => dialog.locator('datalist option[value=Engineering]').count());
    await field.fill('Engineering');
    await dialog.getByLabel(/^name/).fill('Ann');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('group', { name: 'Preview' }).filter({ hasText: 'Engineering' }).waitFor();
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await until('it is asked', async () => /Engineering/.test(await questions.last().innerText()));
    await send.waitFor();
  });

  await t.test('a chat uses the servers that are chosen for it', async () => {
    await page.getByRole('button', { name: 'MCP servers of this chat' }).click();
    const dialog = page.getByRole('dialog', { name: 'MCP servers of this chat' });
    await dialog.getByText('Not connected, so their tools are missing: broken').waitFor();
    for (const name of ['everything', 'broken', 'second', 'third']) await dialog.getByRole('checkbox', { name }).uncheck();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await ask(page, 'with one server');
    const tools = (await troupe.model.requests()).at(-1).body.tools.map((each) => each.function.name);
    assert.equal(tools.filter((name) => !/^(display|edit)_/.test(name)).length, 8);
  });
});
