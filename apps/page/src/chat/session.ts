// One open chat: useChat's Chat, and what it is told of the page.
import { Chat } from '@ai-sdk/react';
import type { FinishReason, UIMessage, UIMessageChunk } from 'ai';
import { CanvasState } from '../canvas/canvas_state.ts';
import { t } from '../i18n/text.ts';
import { ServerError } from '../server/api.ts';
import type { ClientRequest } from '../server/mcp.ts';
import { retryAfterIn } from '../server/retry_after.ts';
import { ChatTransport } from '../server/transport.ts';
import { stopTurn } from '../server/turns.ts';
import { refreshChats } from '../state/chats.ts';
import { takeBack } from '../state/chosen_files.ts';
import { freshChats, newId } from '../state/new_chats.ts';
import { complain } from '../state/notices.ts';
import { dropQuestionsOf, takeQuestion } from '../state/questions.ts';
import { createStore } from '../state/store.ts';
import { showOthers } from './changed_elsewhere.ts';
import { keepOverrides } from './session_changes.ts';
import { firstState, promptOf, type Progress } from './session_state.ts';
import { reconnect, rereadPrompt } from './session_sync.ts';
import { runTool, sentByItself } from './session_tools.ts';
import { noteTurn, shownVersion } from './session_version.ts';
import { stateAfter } from './turn_end.ts';
import { turnOptions } from './turn_options.ts';
import { noteBegun, notSent } from './unsent.ts';

export class ChatSession {
  readonly chat: Chat<UIMessage>;
  readonly canvas = new CanvasState();
  readonly state = createStore(firstState);
  readonly kept = new Map<string, string>(); // texts of users' messages that the server has, by id
  exists = false; // the server has the chat
  version = 0; // of what is shown; 0: nothing is known to the server
  isTaken = false; // the server has begun the turn that was asked for last
  keptBefore: [id: string, text?: string] = ['']; // what the server had of its question
  sentAgain = ''; // the question that was sent twice without being asked to
  closed = false;
  onBegun: ((answer: string) => void) | null = null; // told once when the server begins the next turn, with its message
  chosen: Promise<unknown> = Promise.resolve(); // ends when the server has the last choice: one after the other
  /** Ends when the list of chats knows what the last turn has changed. */
  settled: Promise<unknown> = Promise.resolve();

  constructor(readonly id: string) {
    if (freshChats.has(id)) this.state.patch({ phase: 'ready' }); // there is nothing to read
    this.chat = new Chat<UIMessage>({
      id,
      generateId: newId,
      transport: new ChatTransport({
        options: () => turnOptions(this),
        promptOf,
        isKept: (messageId) => this.kept.has(messageId),
        shownVersion: () => shownVersion(this),
        onChunk: (chunk) => this.onChunk(chunk),
      }),
      sendAutomaticallyWhen: sentByItself,
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
    if (!this.busy) takeBack(this.id); // else the server may have it
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

  private onChunk(chunk: UIMessageChunk): void {
    if (chunk.type === 'start') this.onStart(chunk.messageId);
    else if (chunk.type === 'abort') this.onAbort(chunk.reason);
    else if (chunk.type === 'tool-input-start') this.canvas.begin(chunk.toolCallId, chunk.toolName);
    else if (chunk.type === 'tool-input-delta')
      this.canvas.preview(chunk.toolCallId, chunk.inputTextDelta);
  }

  /** The server has taken the turn: what was sent is kept. */
  private onStart(answer = ''): void {
    if (freshChats.delete(this.id)) void refreshChats();
    noteBegun(this);
    if (this.state.get().stopping) void this.stop(); // it was asked for when there was nothing to stop yet
    this.onBegun?.(answer);
    this.onBegun = null;
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
    if (!this.state.get().working) this.onBegun = null; // else the connection broke, and the turn is joined again
    if (this.closed) return;
    this.canvas.endPreview();
    const { isTaken } = this;
    this.isTaken = false;
    const kept = isError ? Promise.resolve() : keepOverrides(this);
    this.settled = Promise.all([kept, this.chosen]).then(() => noteTurn(this, isTaken));
    const isStopped = this.state.get().stopped !== '';
    const after = stateAfter({ message, isError, isStopped, finishReason });
    const goesOn = !isError && sentByItself(this.chat); // a Stop that came too late for this round holds for the next
    this.state.patch({ stopping: goesOn && this.state.get().stopping, progress: {}, ...after });
    void rereadPrompt(this, isError);
  }
}
