// The real program with the scripted model, as the page's tests want it.
import {
  demoServer,
  models,
  startModel,
  startTroupe,
  connected,
} from '../../integration/support/servers.mjs';

export { connected, models, startModel, startTroupe };

/** How often an MCP server has begun to be tried again: its log keeps what the page may show for a second only. */
export async function firstTries({ url }, name) {
  const { log } = await (await fetch(`${url}/v1/mcp/servers/${name}`)).json();
  return log.filter(({ text }) => /^reconnection 1 in/.test(text)).reduce((sum, { times }) => sum + times, 0);
}

/**
 * Starts a scripted model and `troupe serve` with the named scripts as models, the first of which is
 * the default. `demo: true` connects the demo MCP server. Has all of startTroupe(), and `model`.
 */
export async function startServer(t, scripts, { demo = false, ...config } = {}, options = {}) {
  const model = await startModel(t);
  const troupe = await startTroupe(
    t,
    {
      models: models(model.url, scripts, { images: true, retryDelayMs: 1 }),
      defaultModel: scripts[0],
      ...(demo ? { mcpServers: { demo: demoServer() } } : {}),
      ...config,
    },
    options,
  );
  if (demo) await connected(troupe, 'demo');
  return Object.assign(troupe, { model });
}
