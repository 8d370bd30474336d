// Runs the page's own tools: calls that the model makes, and one that a reload left.
import {
  lastAssistantMessageIsCompleteWithApprovalResponses as hasApprovals,
  lastAssistantMessageIsCompleteWithToolCalls as hasResults,
  type UIMessage,
} from 'ai';
import { isCanvasTool } from '../canvas/tools.ts';
import type { ChatSession } from './session.ts';

interface Call {
  toolName: string;
  toolCallId: string;
  input: unknown;
}

/** Runs one call and tells the chat what came of it, never before the current chunk is done. */
export async function runTool(session: ChatSession, call: Call): Promise<void> {
  if (!isCanvasTool(call.toolName)) return;
  const { toolName: tool, toolCallId } = call;
  try {
    const output = await session.canvas.run(tool, call.input, toolCallId);
    if (!session.closed) void session.chat.addToolOutput({ tool, toolCallId, output });
  } catch (error) {
    const errorText = error instanceof Error ? error.message : String(error);
    if (!session.closed)
      void session.chat.addToolOutput({ state: 'output-error', tool, toolCallId, errorText });
  }
}

/** Runs calls of the last answer that still wait for a result. */
export function runToolsLeft(session: ChatSession): void {
  callsLeft(session.chat.lastMessage).forEach((call) => void runTool(session, call));
}

/** Whether the last answer has all that it waited for, and is sent on without being asked to. */
export const sentByItself = (now: { messages: UIMessage[] }): boolean => hasResults(now) || hasApprovals(now);

/** Whether an answer goes on by itself: when the page's tools are done, or now that they are. */
export const goesOn = (messages: UIMessage[]): boolean => callsLeft(messages.at(-1)).length > 0 || hasResults({ messages });

/** Returns the calls of the page's tools that have no result. */
function callsLeft(message: UIMessage | undefined): Call[] {
  if (message?.role !== 'assistant') return [];
  return message.parts.flatMap((part) => {
    if (!part.type.startsWith('tool-') || !('state' in part)) return [];
    if (part.state !== 'input-available' || !('toolCallId' in part)) return [];
    return [{ toolName: part.type.slice(5), toolCallId: part.toolCallId, input: part.input }];
  });
}
