// The routes of MCP servers: docs/http.md.
import { ask, askJson, at, send } from './api.ts';

/** One MCP server, as the host sees it. */
export interface McpServer {
  name: string;
  type: string;
  enabled: boolean;
  /** Of a cluster, where one node has the connection. */
  node?: string;
  health: 'idle' | 'connecting' | 'success' | 'error';
  phase: string;
  serverName: string;
  serverTitle: string;
  serverVersion: string;
  protocolVersion: string;
  instructions: string;
  capabilities: Record<string, unknown>;
  attempt: number;
  connectMs: number;
  error: { code: string; message: string } | null;
  tools: number;
  resources: number;
  resourceTemplates: number;
  prompts: number;
  log?: { timeMs: number; text: string; times: number }[];
}

export interface McpTool {
  server: string;
  name: string;
  title?: string;
  description?: string;
  inputSchema: Schema;
}
export interface McpResource {
  server: string;
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
}
export interface McpTemplate {
  server: string;
  uriTemplate: string;
  name: string;
  description?: string;
}
export interface McpPrompt {
  server: string;
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
}
export interface Attachment {
  id: string;
  server: string;
  uri: string;
  name: string;
  mimeType: string;
  loading: boolean;
  text: string;
  error: string;
}
export interface ResourceContent {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string; // base64
}

/** A JSON schema, as far as forms read it. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  enumNames?: string[];
  oneOf?: { const: unknown; title?: string }[];
  anyOf?: { const: unknown; title?: string }[];
  items?: Schema;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** Something that an MCP server asks of the person before the page. */
export interface ClientRequest {
  requestId: string;
  server: string;
  method: string;
  sessionId: string;
  params: Record<string, unknown>;
  timeoutMs: number;
}

export const listServers = async () =>
  (await askJson<{ servers: McpServer[] }>('/v1/mcp/servers')).servers;
/** How many calls run, of all servers together. */
export const countCalls = async () =>
  (await askJson<{ activeFlows: number }>('/v1/mcp/servers')).activeFlows;
export const readServer = (name: string) => askJson<McpServer>(at`/v1/mcp/servers/${name}`);
export const putServer = (name: string, config: unknown) =>
  askJson<McpServer>(at`/v1/mcp/servers/${name}`, send('PUT', config));
export const enableServer = (name: string, enabled: boolean) =>
  askJson<McpServer>(at`/v1/mcp/servers/${name}`, send('PATCH', { enabled }));
export const removeServer = (name: string) =>
  ask(at`/v1/mcp/servers/${name}`, { method: 'DELETE' });
export const retryServer = (name: string) =>
  askJson<McpServer>(at`/v1/mcp/servers/${name}/retry`, { method: 'POST' });

export const listTools = async () => (await askJson<{ tools: McpTool[] }>('/v1/mcp/tools')).tools;
export const listResources = () =>
  askJson<{ resources: McpResource[]; resourceTemplates: McpTemplate[] }>('/v1/mcp/resources');
export const listPrompts = async () =>
  (await askJson<{ prompts: McpPrompt[] }>('/v1/mcp/prompts')).prompts;

export const callTool = (server: string, tool: string, args: unknown) =>
  askJson<{ error: { message: string } | null; text: string; result: unknown }>(
    '/v1/mcp/tools/call',
    send('POST', { server, tool, arguments: args }),
  );
export const readResource = async (server: string, uri: string, refresh = false) =>
  (
    await askJson<{ contents: ResourceContent[] }>(
      '/v1/mcp/resources/read',
      send('POST', { server, uri, refresh }),
    )
  ).contents;
export const subscribe = (server: string, uri: string) =>
  ask('/v1/mcp/resources/subscribe', send('POST', { server, uri }));
export const unsubscribe = (server: string, uri: string) =>
  ask('/v1/mcp/resources/unsubscribe', send('POST', { server, uri }));
export const getPrompt = (server: string, name: string, args: Record<string, string>) =>
  askJson<{ messages: { role: string; content: { type: string; text?: string } }[] }>(
    '/v1/mcp/prompts/get',
    send('POST', { server, name, arguments: args }),
  );

/** Completes one argument of a prompt or of a resource template. */
export const complete = async (
  server: string,
  ref: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
  name: string,
  value: string,
  others: Record<string, string>,
): Promise<string[]> => {
  const body = { server, ref, argument: { name, value }, context: { arguments: others } };
  const { completion } = await askJson<{ completion: { values: string[] } }>(
    '/v1/mcp/complete',
    send('POST', body),
  );
  return completion.values;
};

export const answerRequest = (requestId: string, action: string, content?: unknown) =>
  ask(at`/v1/mcp/requests/${requestId}`, send('POST', { action, content }));

export const listAttachments = async (chat: string) =>
  (await askJson<{ attachments: Attachment[] }>(at`/v1/sessions/${chat}/attachments`)).attachments;
export const attach = (chat: string, server: string, uri: string) =>
  askJson<Attachment>(at`/v1/sessions/${chat}/attachments`, send('POST', { server, uri }));
export const detach = (chat: string, id: string) =>
  ask(at`/v1/sessions/${chat}/attachments/${id}`, { method: 'DELETE' });
