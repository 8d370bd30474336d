// What the page tells the server with each turn beside the message.
import { clientTools } from '../canvas/tools.ts';
import { modelOfNewChats } from '../state/models.ts';
import { settings } from '../state/settings.ts';
import type { ChatSession } from './session.ts';

/** The members of a turn's body that are chosen: by the settings, and for this chat. */
export function turnOptions(session: ChatSession): Record<string, unknown> {
  const { streaming, canvas } = settings.get();
  const { overrides } = session.state.get();
  const chosen = overrides.model ?? (session.exists ? '' : modelOfNewChats());
  return {
    ...(streaming ? {} : { streaming: false }),
    ...(canvas ? { tools: clientTools } : {}),
    ...(chosen === '' ? {} : { model: chosen }),
    ...(overrides.mcpServers === null ? {} : { mcpServers: overrides.mcpServers }),
  };
}
