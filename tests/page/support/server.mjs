// The real program with the scripted model, as the page's tests want it.
import {
  demoServer,
  models,
  startModel,
  startTroupe,
  connected,
} from '../../integration/support/servers.mjs';

export { connected, models, startModel, startTroupe };

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
