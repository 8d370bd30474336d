// One open chat: useChat's Chat, and what it is told of the page.
import { Chat } from '@ai-sdk/react';
import {
  lastAssistantMessageIsCompleteWithApprovalResponses as hasApprovals,
  lastAssistantMessageIsCompleteWithToolCalls as hasResults,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { CanvasState } from '../canvas/canvas_state.ts';
import { clientTools } from '../canvas/tools.ts';
import { t } from '../i18n/text.ts';
import { freshChats } from '../state/new_chats.ts';
import { ServerError } from '../server/api.ts';
import type { ClientRequest } from '../server/mcp.ts';
import { retryAfterIn } from '../server/retry_after.ts';
import { ChatTransport } from '../server/transport.ts';
import { stopTurn } from '../server/turns.ts';
import { chatInfo, refreshChats } from '../state/chats.ts';
import { keepDraft, unsent } from '../state/drafts.ts';
import { newId } from '../state/new_chats.ts';
import { complain } from '../state/notices.ts';
import { dropQuestionsOf, takeQuestion } from '../state/questions.ts';
import { settings } from '../state/settings.ts';
import { createStore } from '../state/store.ts';
import { endOf } from './announce.ts';
import { keepOverrides } from './session_changes.ts';
import { firstState, type Progress } from './session_state.ts';
import { keepUnsent, reconnect, reread } from './session_sync.ts';
import { runTool } from './session_tools.ts';

export class ChatSession {
  readonly chat: Chat<UIMessage>;
  readonly canvas = new CanvasState();
  readonly state = createStore(firstState);
  readonly kept = new Set<string>(); // users' messages that the server has
  exists = false; // the server has the chat
  version = 0; // of what is shown
  closed = false;
  /** Ends when the list of chats knows what the last turn has changed. */
  settled: Promise<unknown> = Promise.resolve();

  constructor(readonly id: string) {
    this.chat = new Chat<UIMessage>({
      id,
      generateId: newId,
      transport: new ChatTransport({
        options: () => this.options(),
        promptOf: (message) => (message.metadata as { prompt?: unknown } | undefined)?.prompt,
        isKept: (messageId) => this.kept.has(messageId),
        onChunk: (chunk) => this.onChunk(chunk),
      }),
      sendAutomaticallyWhen: (now) => hasResults(now) || hasApprovals(now),
      onToolCall: ({ toolCall }) => {
        if (!toolCall.dynamic) void runTool(this, toolCall);
      },
      onData: (part) => this.onData(part),
      onError: (error) => this.onError(error),
      onFinish: (end) => this.onFinish(end.message, end.isError),
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
    const { streaming, canvas, model } = settings.get();
    const { overrides } = this.state.get();
    const chosen = overrides.model ?? (this.exists ? '' : model);
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
    keepDraft(unsent(this.id), '');
    this.chat.messages.forEach((each) => each.role === 'user' && this.kept.add(each.id));
    this.state.patch({ problem: null, stopped: '', announcement: t('answering') });
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
    if (refused?.status === 412) return void reread(this).then(() => complain(t('changedElsewhere')));
    const kind = refused === undefined ? 'failed' : 'not-sent';
    const retryAt = performance.now() + (refused?.waitMs ?? retryAfterIn(error.message));
    this.state.patch({ problem: { kind, text: error.message, retryAt } });
    if (kind === 'not-sent') keepUnsent(this);
  }

  private onFinish(message: UIMessage, isError: boolean): void {
    dropQuestionsOf(this.id);
    if (this.closed) return;
    this.canvas.endPreview();
    this.settled = refreshChats().then(() => {
      this.version = chatInfo(this.id)?.version ?? this.version;
    });
    if (!isError) void keepOverrides(this);
    const { stopped } = this.state.get();
    const announcement = isError ? '' : endOf(message, stopped !== '');
    this.state.patch({ stopping: false, progress: {}, announcement });
    const last = this.chat.messages.findLast((each) => each.role === 'user');
    if (!isError && last?.metadata && 'prompt' in (last.metadata as object)) void reread(this);
  }
}
