// A mirror of the MCP servers: lists, read again whenever events say that they changed.
import { followMcpEvents } from '../server/mcp_events.ts';
import * as server from '../server/mcp.ts';
import { takeQuestion, dropQuestion } from './questions.ts';
import { createStore } from './store.ts';

export interface McpMirror {
  servers: server.McpServer[];
  tools: server.McpTool[];
  resources: server.McpResource[];
  templates: server.McpTemplate[];
  prompts: server.McpPrompt[];
  changed: Set<string>; // resources that were updated since they were read: "server uri"
  followed: ReadonlySet<string>; // resources whose updates this page has asked for
  attachments: ReadonlyMap<string, server.Attachment[]>; // by chat
  problem: string;
}

export const mcp = createStore<McpMirror>({
  servers: [],
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  changed: new Set(),
  followed: new Set(),
  attachments: new Map(),
  problem: '',
});

/** Follows the servers until `signal` is aborted. */
export const followMcp = (signal: AbortSignal): Promise<void> =>
  followMcpEvents({ begin: () => void readAll(), event: onEvent }, signal);

/** Reads all lists again. */
export async function readAll(): Promise<void> {
  try {
    mcp.patch({ servers: sorted(await server.listServers()), problem: '' });
    await Promise.all([readTools(), readResources(), readPrompts()]);
  } catch (error) {
    mcp.patch({ problem: error instanceof Error ? error.message : String(error) });
  }
}

const told = new Map<string, number>(); // events about each server

/** Asks for something about a server, and shows the answer unless an event has said more since. */
export async function askAbout(name: string, act: () => Promise<server.McpServer>): Promise<void> {
  const before = told.get(name) ?? 0;
  const answer = await act();
  if ((told.get(name) ?? 0) === before) noteServer(answer);
}

function noteServer(one: server.McpServer): void {
  const old = mcp.get().servers;
  const log = one.log ?? old.find((each) => each.name === one.name)?.log;
  const others = old.filter((each) => each.name !== one.name);
  mcp.patch({ servers: sorted([...others, { ...one, log }]) });
}

/** Takes a server out of the list. */
export function forgetServer(name: string): void {
  const keep = (each: { name?: string; server?: string }) => (each.server ?? each.name) !== name;
  const { servers, tools, resources, templates, prompts } = mcp.get();
  mcp.patch({
    servers: servers.filter((each) => each.name !== name),
    tools: tools.filter(keep),
    resources: resources.filter(keep),
    templates: templates.filter(keep),
    prompts: prompts.filter(keep),
  });
}

/** Reads what is attached to a chat's next message. */
export async function readAttachments(chat: string): Promise<void> {
  setAttachments(chat, await server.listAttachments(chat).catch(() => []));
}

export const setAttachments = (chat: string, list: server.Attachment[]): void =>
  mcp.patch({ attachments: new Map(mcp.get().attachments).set(chat, list) });

/** Puts one attachment into its chat's list. */
export function noteAttachment(chat: string, one: server.Attachment): void {
  const old = mcp.get().attachments.get(chat) ?? [];
  const known = old.some((each) => each.id === one.id);
  setAttachments(chat, known ? old.map((e) => (e.id === one.id ? one : e)) : [...old, one]);
}

/** Has a server tell when a resource changes, or not any more. */
export async function followResource(name: string, uri: string, on: boolean): Promise<void> {
  await (on ? server.subscribe : server.unsubscribe)(name, uri);
  const followed = new Set(mcp.get().followed);
  if (on) followed.add(`${name} ${uri}`);
  else followed.delete(`${name} ${uri}`);
  mcp.patch({ followed });
}

/** Takes the mark away that a resource has changed. */
export function noteRead(name: string, uri: string): void {
  const changed = new Set(mcp.get().changed);
  if (changed.delete(`${name} ${uri}`)) mcp.patch({ changed });
}

const sorted = (list: server.McpServer[]) =>
  [...list].sort((a, b) => a.name.localeCompare(b.name));
const readTools = async () => mcp.patch({ tools: await server.listTools() });
const readPrompts = async () => mcp.patch({ prompts: await server.listPrompts() });
const readResources = async () => {
  const { resources, resourceTemplates } = await server.listResources();
  mcp.patch({ resources, templates: resourceTemplates });
};

function onEvent(name: string, data: unknown): void {
  const from = data as Record<string, string>;
  if (name === 'server') onServer(data as server.McpServer);
  else if (name === 'serverRemoved') forgetServer(from.name!);
  else if (name === 'toolsChanged') void readTools();
  else if (name === 'resourcesChanged') void readResources();
  else if (name === 'promptsChanged') void readPrompts();
  else if (name === 'resourceUpdated')
    mcp.patch({ changed: new Set(mcp.get().changed).add(`${from.server} ${from.uri}`) });
  else if (name === 'clientRequest') takeQuestion(data as server.ClientRequest);
  else if (name === 'clientRequestOver') dropQuestion(from.requestId!);
  else if (name === 'attachment') onAttachment(data as server.Attachment & { sessionId: string });
  else if (name === 'attachmentRemoved') onAttachmentRemoved(from.sessionId!, from.id!);
}

function onServer(one: server.McpServer): void {
  told.set(one.name, (told.get(one.name) ?? 0) + 1);
  noteServer(one);
  void Promise.all([readTools(), readResources(), readPrompts()]).catch(() => {});
}

function onAttachment(one: server.Attachment & { sessionId: string }): void {
  const list = mcp.get().attachments.get(one.sessionId);
  const old = list?.find((each) => each.id === one.id);
  if (old) noteAttachment(one.sessionId, { ...old, ...one });
}

function onAttachmentRemoved(chat: string, id: string): void {
  const list = mcp.get().attachments.get(chat);
  if (list) setAttachments(chat, list.filter((each) => each.id !== id));
}
