// A mirror of the MCP servers: lists, read again whenever events say that they changed.
import { followMcpEvents } from '../server/mcp_events.ts';
import * as server from '../server/mcp.ts';
import { onAttachment, onAttachmentRemoved } from './attachments.ts';
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
  problem: '',
});

const told = new Map<string, number>(); // events about each server

function noteEventAbout(name: string): void {
  told.set(name, (told.get(name) ?? 0) + 1);
}

/** Follows the servers until `signal` is aborted. */
export const followMcp = (signal: AbortSignal): Promise<void> =>
  followMcpEvents({ begin: () => void readAll(), event: onEvent }, signal);

/** Reads all lists again. */
export async function readAll(): Promise<void> {
  try {
    const before = new Map(told);
    const list = await server.listServers();
    const hasNews = (each: server.McpServer) => told.get(each.name) !== before.get(each.name);
    const servers = [...list.filter((each) => !hasNews(each)), ...mcp.get().servers.filter(hasNews)];
    mcp.patch({ servers: sorted(servers), problem: '' });
    await Promise.all([readTools(), readResources(), readPrompts()]);
  } catch (error) {
    mcp.patch({ problem: error instanceof Error ? error.message : String(error) });
  }
}

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

/** Reads a list; of several answers that are under way only the last one counts, for they may change places. */
function reader<List>(ask: () => Promise<List>, take: (list: List) => void): () => Promise<void> {
  let asked = 0;
  return async () => {
    const mine = ++asked;
    const list = await ask();
    if (mine === asked) take(list);
  };
}
const readTools = reader(server.listTools, (tools) => mcp.patch({ tools }));
const readPrompts = reader(server.listPrompts, (prompts) => mcp.patch({ prompts }));
const readResources = reader(server.listResources, ({ resources, resourceTemplates }) =>
  mcp.patch({ resources, templates: resourceTemplates }));

function onEvent(name: string, data: unknown): void {
  const from = data as Record<string, string>;
  if (name === 'server') onServer(data as server.McpServer);
  else if (name === 'serverRemoved') onServerRemoved(from.name!);
  else if (name === 'toolsChanged') void readTools().catch(() => {});
  else if (name === 'resourcesChanged') void readResources().catch(() => {});
  else if (name === 'promptsChanged') void readPrompts().catch(() => {});
  else if (name === 'resourceUpdated')
    mcp.patch({ changed: new Set(mcp.get().changed).add(`${from.server} ${from.uri}`) });
  else if (name === 'clientRequest') takeQuestion(data as server.ClientRequest);
  else if (name === 'clientRequestOver') dropQuestion(from.requestId!);
  else if (name === 'attachment') onAttachment(data as server.Attachment & { sessionId: string });
  else if (name === 'attachmentRemoved') onAttachmentRemoved(from.sessionId!, from.id!);
}

function onServer(one: server.McpServer): void {
  noteEventAbout(one.name);
  noteServer(one);
  void Promise.all([readTools(), readResources(), readPrompts()]).catch(() => {});
}

function onServerRemoved(name: string): void {
  noteEventAbout(name);
  forgetServer(name);
}
