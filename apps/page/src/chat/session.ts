// One open chat: useChat's Chat, and what it is told of the page.
import { Chat } from '@ai-sdk/react';
import {
  lastAssistantMessageIsCompleteWithApprovalResponses as hasApprovals,
  lastAssistantMessageIsCompleteWithToolCalls as hasResults,
  type FinishReason,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { CanvasState } from '../canvas/canvas_state.ts';
import { clientTools } from '../canvas/tools.ts';
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import type { ClientRequest } from '../server/mcp.ts';
import { retryAfterIn } from '../server/retry_after.ts';
import { ChatTransport } from '../server/transport.ts';
import { stopTurn } from '../server/turns.ts';
import { refreshChats } from '../state/chats.ts';
import { modelOfNewChats } from '../state/models.ts';
import { freshChats, newId } from '../state/new_chats.ts';
import { complain } from '../state/notices.ts';
import { dropQuestionsOf, takeQuestion } from '../state/questions.ts';
import { settings } from '../state/settings.ts';
import { createStore } from '../state/store.ts';
import { keepOverrides, noteChange } from './session_changes.ts';
import { firstState, promptOf, textOf, type Progress } from './session_state.ts';
import { reconnect, rereadPrompt, showOthers } from './session_sync.ts';
import { runTool } from './session_tools.ts';
import { stateAfter } from './turn_end.ts';
import { keepUnsent, lastAsked, notSent } from './unsent.ts';

export class ChatSession {
  readonly chat: Chat<UIMessage>;
  readonly canvas = new CanvasState();
  readonly state = createStore(firstState);
  readonly kept = new Map<string, string>(); // texts of users' messages that the server has, by id
  exists = false; // the server has the chat
  version = 0; // of what is shown
  closed = false;
  /** Ends when the list of chats knows what the last turn has changed. */
  settled: Promise<unknown> = Promise.resolve();

  constructor(readonly id: string) {
    if (freshChats.has(id)) this.state.patch({ phase: 'ready' }); // there is nothing to read
    this.chat = new Chat<UIMessage>({
      id,
      generateId: newId,
      transport: new ChatTransport({
        options: () => this.options(),
        promptOf,
        isKept: (messageId) => this.kept.has(messageId),
        onChunk: (chunk) => this.onChunk(chunk),
      }),
      sendAutomaticallyWhen: (now) => hasResults(now) || hasApprovals(now),
      onToolCall: ({ toolCall }) => {
        if (!toolCall.dynamic) void runTool(this, toolCall);
      },
      onData: (part) => this.onData(part),
      onError: (error) => this.onError(error),
      onFinish: (end) => this.onFinish(end.message, end.isError, end.finishReason),
    });
  }

  get busy(): boolean {
    const { status } = this.chat;
    return status === 'submitted' || status === 'streaming' || this.state.get().working;
  }

  /** Leaves the chat; a turn that runs in it goes on. */
  close(): void {
    this.closed = true;
    void this.chat.stop();
  }

  /** Stops the turn; its stream then ends by itself. */
  async stop(): Promise<void> {
    this.state.patch({ stopping: true });
    try {
      await stopTurn(this.id);
    } catch (error) {
      this.state.patch({ stopping: false });
      complain(error);
    }
  }

  private options(): Record<string, unknown> {
    const { streaming, canvas } = settings.get();
    const { overrides } = this.state.get();
    const chosen = overrides.model ?? (this.exists ? '' : modelOfNewChats());
    return {
      ...(streaming ? {} : { streaming: false }),
      ...(canvas ? { tools: clientTools } : {}),
      ...(chosen === '' ? {} : { model: chosen }),
      ...(overrides.mcpServers === null ? {} : { mcpServers: overrides.mcpServers }),
    };
  }

  private onChunk(chunk: UIMessageChunk): void {
    if (chunk.type === 'start') this.onStart();
    else if (chunk.type === 'abort') this.onAbort(chunk.reason);
    else if (chunk.type === 'tool-input-start') this.canvas.begin(chunk.toolCallId, chunk.toolName);
    else if (chunk.type === 'tool-input-delta')
      this.canvas.preview(chunk.toolCallId, chunk.inputTextDelta);
  }

  /** The server has taken the turn: what was sent is kept. */
  private onStart(): void {
    if (freshChats.delete(this.id)) void refreshChats();
    const asked = lastAsked(this);
    if (asked) this.kept.set(asked.id, textOf(asked));
    keepUnsent(this);
    this.state.patch({ problem: null, stopped: '', cut: null, announcement: t('answering') });
  }

  private onAbort(reason = ''): void {
    const problem = reason === 'shutdown' ? { kind: 'failed' as const, text: t('wasShutDown') } : null;
    this.state.patch({ stopped: this.chat.lastMessage?.id ?? '', announcement: t('stopped'), problem });
  }

  private onData(part: { type: string; data: unknown }): void {
    if (part.type === 'data-mcp-request')
      takeQuestion({ ...(part.data as ClientRequest), sessionId: this.id });
    if (part.type !== 'data-mcp-progress') return;
    const { toolCallId, ...progress } = part.data as Progress & { toolCallId: string };
    this.state.patch({ progress: { ...this.state.get().progress, [toolCallId]: progress } });
  }

  private onError(error: Error): void {
    if (this.closed || this.state.get().working) return; // whoever works reads what became of it
    const refused = error instanceof ServerError ? error : undefined;
    if (error instanceof TypeError || refused?.status === 0) return void reconnect(this);
    if (refused?.status === 412) return void showOthers(this);
    const kind = refused === undefined ? 'failed' : 'not-sent';
    const retryAt = performance.now() + (refused?.waitMs ?? retryAfterIn(error.message));
    this.state.patch({ problem: { kind, text: error.message, retryAt } });
    if (kind === 'not-sent') notSent(this);
  }

  private onFinish(message: UIMessage, isError: boolean, finishReason?: FinishReason): void {
    dropQuestionsOf(this.id);
    if (this.closed) return;
    this.canvas.endPreview();
    const kept = isError ? Promise.resolve() : keepOverrides(this);
    this.settled = kept.then(() => noteChange(this));
    const isStopped = this.state.get().stopped !== '';
    const after = stateAfter({ message, isError, isStopped, finishReason });
    this.state.patch({ stopping: false, progress: {}, ...after });
    void rereadPrompt(this, isError);
  }
}
