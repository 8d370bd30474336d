// Everything that lies over the page, and every state that is seldom: axe in both themes, wide and on a
// phone.
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { connected, demoServer, everythingOverStdio, folder, startTroupe } from '../integration/support/servers.mjs';
import { assertAccessible } from './support/axe.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { createKey } from './support/keys.mjs';
import { startServer } from './support/server.mjs';

const asking = fileURLToPath(new URL('../integration/support/asking_server.mjs', import.meta.url));
const looks = [{ colorScheme: 'light', width: 1280 }, { colorScheme: 'dark', width: 375 }];
const schema = {
  type: 'object',
  properties: {
    label: { type: 'string', title: 'Label', description: 'What is written on it' },
    count: { type: 'integer', title: 'Count', minimum: 1 },
    heavy: { type: 'boolean', title: 'Heavy', description: 'More than a hand can carry' },
    size: { type: 'string', title: 'Size', enum: ['s', 'm'] },
    colours: { type: 'array', title: 'Colours', items: { type: 'string', enum: ['red', 'blue'] } },
    more: { type: 'object', title: 'More' },
  },
  required: ['label'],
};

/** Opens a page in one of the looks; has view(what), which checks it as it is then. */
async function openLook(t, url, { colorScheme, width }, options = {}) {
  const phone = width < 800;
  const page = await openPage(t, url, { colorScheme, viewport: { width, height: phone ? 720 : 800 }, ...options });
  const menu = async () => phone && page.getByRole('button', { name: 'Menu' }).click();
  return { page, menu, view: (what) => assertAccessible(page, `${what}, ${colorScheme}, ${width} pixels`) };
}

async function start(t) {
  const model = await startFakeModel(t, ({ messages }) => {
    const last = messages.at(-1);
    if (last.role === 'tool') return { text: 'Done.' };
    const [, name, args] = /^(\S+) (\{.*\})$/s.exec(last.content) ?? [];
    return name ? { calls: [{ name, arguments: JSON.parse(args) }] } : { text: `You said ${last.content}` };
  });
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { everything: everythingOverStdio(), demo: demoServer(), asking: { command: process.execPath, args: [asking] }, broken: { command: '/nowhere/at-all' } },
    toolApproval: 'always',
  });
  for (const name of ['everything', 'demo', 'asking']) await connected(troupe, name);
  return troupe;
}

test('what lies over a chat', { timeout: 280000 }, async (t) => {
  const troupe = await start(t);
  for (const look of looks)
    await t.test(`${look.colorScheme}, ${look.width} pixels`, async (t) => {
      const { page, menu, view } = await openLook(t, troupe.url, look);
      const { box, send, tool } = parts(page);
      const dialog = page.getByRole('dialog');
      const close = (name) => dialog.getByRole('button', { name }).click();
      await page.getByRole('note').waitFor();
      await view('servers that are away');

      await page.getByRole('button', { name: 'MCP servers of this chat' }).click();
      await view('the servers of a chat');
      await close('Done');

      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Prompt' }).waitFor();
      await view('a menu');
      await page.getByRole('menuitem', { name: 'Prompt' }).click();
      await page.getByRole('option').first().waitFor();
      await view('the prompts');
      await page.getByRole('combobox', { name: 'Choose a prompt' }).fill('args');
      await page.getByRole('option', { name: /args-prompt/ }).click();
      await dialog.getByLabel(/^city/).fill('Oslo');
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByRole('group', { name: 'Preview' }).waitFor();
      await view('a prompt');
      await close('Cancel');

      await box.press('@');
      await page.getByRole('combobox', { name: 'Choose a resource' }).fill('Dynamic Text');
      await page.getByRole('option', { name: /Dynamic Text/ }).click();
      await dialog.getByLabel(/^resourceId/).fill('3');
      await view('a template');
      await close('Cancel');

      await box.fill(`form ${JSON.stringify({ schema })}`);
      await send.click();
      await tool('form').getByRole('button', { name: 'Allow' }).waitFor();
      await view('an approval');
      await tool('form').getByRole('button', { name: 'Allow' }).click();
      await dialog.getByText('Which box?').waitFor();
      await view('a form of a server');
      await dialog.getByLabel('Label').fill('x');
      await dialog.getByRole('textbox', { name: 'More' }).fill('{');
      await close('Accept');
      await dialog.getByRole('alert').getByText('“More” has a value that does not fit.').waitFor();
      await view('a form with a fault');
      await close('Decline');
      await send.waitFor();

      await ask(page, 'sample {}');
      await tool('sample').getByRole('button', { name: 'Allow' }).click();
      await dialog.getByText('user: Say hello.').waitFor();
      await view('leave to ask the model');
      await close('Decline');
      await send.waitFor();

      await menu();
      await page.getByRole('button', { name: /^Actions of form/ }).first().click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByRole('textbox', { name: 'Title' }).waitFor();
      await view('a title that is changed');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Actions of form/ }).first().click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await view('a deletion');
      await close('Cancel');
      await page.getByRole('searchbox').fill('nowhere');
      await page.getByText('Nothing was found.').waitFor();
      await view('nothing found');
      await page.getByRole('searchbox').fill('');
      await page.getByRole('link', { name: 'Settings' }).focus();
      await page.keyboard.press('?');
      await dialog.getByText('New chat').waitFor();
      await view('the keys');
    });
});

test('what lies over the settings', { timeout: 280000 }, async (t) => {
  const troupe = await start(t);
  for (const look of looks)
    await t.test(`${look.colorScheme}, ${look.width} pixels`, async (t) => {
      const { page, view } = await openLook(t, `${troupe.url}/#/settings/servers`, look);
      const dialog = page.getByRole('dialog');
      const close = (name) => dialog.getByRole('button', { name }).click();
      const server = (name) => page.getByRole('listitem', { name, exact: true });
      await server('broken').getByText(/cannot start/).first().waitFor();
      await page.getByRole('button', { name: 'Add server' }).click();
      await dialog.getByLabel('Transport').selectOption('HTTP');
      await dialog.getByText('Paste JSON instead').click();
      await dialog.getByLabel(/mcpServers object/).fill('{');
      await close('Save');
      await dialog.getByRole('alert').waitFor();
      await view('pasted settings with a fault');
      await close('Cancel');
      await page.getByRole('button', { name: 'Change demo' }).click();
      await view('a change');
      await close('Cancel');
      await page.getByRole('button', { name: 'Remove demo' }).click();
      await view('a removal');
      await close('Cancel');
      await server('everything').getByRole('button', { name: 'Details' }).click();
      for (const what of ['18 tools', '7 resources', '2 resource templates', 'Log'])
        await server('everything').getByText(what, { exact: true }).click();
      await view('all of a server');
      await page.getByRole('button', { name: 'Try get-annotated-message' }).click();
      await dialog.getByLabel(/^messageType/).selectOption({ index: 1 });
      await close('Call');
      await dialog.getByRole('group', { name: /^Result of/ }).first().waitFor();
      await view('a tool that was tried');
      await close('Close');
      await page.getByRole('button', { name: 'Read architecture.md' }).click();
      await dialog.getByRole('group', { name: /^Result of/ }).waitFor();
      await dialog.getByRole('button', { name: 'Follow' }).click();
      await dialog.getByRole('button', { name: 'Follow', pressed: true }).waitFor();
      await view('a resource with a note in front');
      await dialog.getByRole('button', { name: 'Follow' }).click();
      await dialog.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
      await close('Close');
    });
});

test('without a key, with a wrong one, and with one that may only look', { timeout: 280000 }, async (t) => {
  const data = folder(t);
  const { key } = await createKey(data, 'ann');
  const troupe = await startServer(t, ['echo', 'error-400'], { data, auth: { keys: true }, mcpServers: { demo: demoServer() } });
  for (const look of looks)
    await t.test(`${look.colorScheme}, ${look.width} pixels`, async (t) => {
      const { page, menu, view } = await openLook(t, troupe.url, look, { settings: { model: 'error-400' } });
      const signIn = async (with_) => {
        await page.getByLabel('API key').fill(with_);
        await page.getByRole('button', { name: 'Sign in' }).click();
      };
      await page.getByLabel('API key').waitFor();
      await view('no key');
      await signIn('tk_wrong');
      await page.getByRole('alert').getByText('does not take the key').waitFor();
      await view('a wrong key');
      await signIn(key);
      await parts(page).box.fill('Are you there?');
      await parts(page).send.click();
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
      await view('a turn that failed');
      await menu();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByText('You can look, but not change anything.').waitFor();
      await view('servers that can only be looked at');
      await page.getByRole('link', { name: 'Data' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await view('data with a key');
    });
});
