// Sends a question with all that goes with it.
import type { UIMessage } from 'ai';
import { attachments, setAttachments } from '../state/attachments.ts';
import type { Attached } from '../state/chosen_files.ts';
import type { ChatSession } from './session.ts';

/** @param text may be empty if there are files */
export async function send(session: ChatSession, text: string, files: Attached[]): Promise<void> {
  const attached = attachments.get().get(session.id) ?? [];
  setAttachments(session.id, []); // the server's next message takes them
  const parts: UIMessage['parts'] = [
    ...attached.map(({ server, uri, name }) => ({
      type: 'data-mcp-resource' as const,
      data: { server, uri, name },
    })),
    ...files.map((each) => each.part),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ];
  session.state.patch({ problem: null, stopped: '' });
  await session.chat.sendMessage({ role: 'user', parts });
}

/** Begins a turn with a prompt of an MCP server; its messages are the server's. */
export async function sendPrompt(
  session: ChatSession,
  prompt: { server: string; name: string; arguments: Record<string, string> },
  preview: string,
): Promise<void> {
  session.state.patch({ problem: null, stopped: '' });
  const text = preview || `/${prompt.name}`;
  await session.chat.sendMessage({
    role: 'user',
    parts: [{ type: 'text', text }],
    metadata: { prompt },
  });
}
