// What the MCP servers from npm offer, and what each of it must answer: every tool of a server has
// a row here, so that a tool nobody calls fails the test.
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const entry = (name) =>
  fileURLToPath(new URL(`../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url));
const program = (name, ...args) => ({ command: process.execPath, args: [entry(name), ...args] });

/** The `mcpServers` entry of server-everything over stdio. */
export const everythingStdio = () => program('server-everything', 'stdio');

export const filesystem = (folder) => program('server-filesystem', folder);
export const memory = (file) => ({ ...program('server-memory'), env: { MEMORY_FILE_PATH: file } });
export const sequentialThinking = () => program('server-sequential-thinking');

/**
 * A row: tool, arguments, what the text must match; `progress`: the number of reports; `slow`: the
 * tool sleeps for seconds, whatever it is asked.
 */
export const everythingTools = [
  { tool: 'echo', arguments: { message: 'Grüße' }, text: /Grüße/ },
  { tool: 'get-annotated-message', arguments: { messageType: 'error', includeImage: true }, text: /Error/ },
  { tool: 'get-env', arguments: {}, text: /PATH/ },
  { tool: 'get-resource-links', arguments: { count: 2 }, text: /demo:\/\/resource/ },
  { tool: 'get-resource-reference', arguments: { resourceType: 'Text', resourceId: 1 }, text: /resource/i },
  { tool: 'get-resource-reference', arguments: { resourceType: 'Blob', resourceId: 2 }, text: /resource/i },
  {
    tool: 'get-structured-content', arguments: { location: 'Chicago' }, text: /temperature/,
    result: (result) => typeof result.structuredContent.temperature === 'number',
  },
  { tool: 'get-sum', arguments: { a: 2, b: 40 }, text: /42/ },
  {
    tool: 'get-tiny-image', arguments: {}, text: /image/,
    result: (result) => result.content.some((part) => part.type === 'image' && part.data.length > 100),
  },
  {
    tool: 'gzip-file-as-resource',
    arguments: { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    text: /a\.gz/,
  },
  { tool: 'toggle-simulated-logging', arguments: {}, text: /logging/i },
  { tool: 'toggle-subscriber-updates', arguments: {}, text: /subscri|update/i },
  {
    tool: 'trigger-long-running-operation', slow: true, arguments: { duration: 0.5, steps: 4 },
    text: /completed/i, progress: 4,
  },
  { tool: 'get-roots-list', arguments: {}, text: /file:\/\/\/tmp/ },
  { tool: 'trigger-elicitation-request', arguments: {}, text: /Ada/ },
  { tool: 'trigger-url-elicitation', arguments: { url: 'https://example.invalid/' }, text: /./ },
  { tool: 'trigger-sampling-request', arguments: { prompt: 'Say hi' }, text: /assistant/ },
  { tool: 'trigger-sampling-request-async', slow: true, arguments: { prompt: 'Say hi' }, text: /./ },
  { tool: 'trigger-elicitation-request-async', slow: true, arguments: {}, text: /./ },
  { tool: 'simulate-research-query', slow: true, arguments: { topic: 'actors' }, text: /actors/ },
  { tool: 'simulate-research-query', slow: true, arguments: { topic: 'actors', ambiguous: true }, text: /actors/ },
];

export function filesystemTools(folder) {
  const at = (name) => path.join(folder, name);
  return [
    { tool: 'write_file', arguments: { path: at('a.txt'), content: 'one\ntwo\n' }, text: /wrote/i },
    { tool: 'read_file', arguments: { path: at('a.txt') }, text: /one\ntwo/ },
    { tool: 'read_text_file', arguments: { path: at('a.txt'), head: 1 }, text: /^one/ },
    { tool: 'read_media_file', arguments: { path: at('a.txt') }, text: /./ },
    { tool: 'read_multiple_files', arguments: { paths: [at('a.txt')] }, text: /two/ },
    {
      tool: 'edit_file',
      arguments: { path: at('a.txt'), edits: [{ oldText: 'two', newText: 'three' }] },
      text: /three/,
    },
    { tool: 'create_directory', arguments: { path: at('deep') }, text: /deep/ },
    { tool: 'move_file', arguments: { source: at('a.txt'), destination: at('deep/b.txt') }, text: /moved/i },
    { tool: 'list_directory', arguments: { path: folder }, text: /\[DIR\] deep/ },
    { tool: 'list_directory_with_sizes', arguments: { path: folder }, text: /deep/ },
    { tool: 'directory_tree', arguments: { path: folder }, text: /b\.txt/ },
    { tool: 'search_files', arguments: { path: folder, pattern: '**/*.txt' }, text: /b\.txt/ },
    { tool: 'get_file_info', arguments: { path: at('deep/b.txt') }, text: /size/ },
    { tool: 'list_allowed_directories', arguments: {}, text: /./ },
    { tool: 'read_text_file', arguments: { path: '/etc/passwd' }, error: 'tool_failed' },
  ];
}

const ada = { name: 'Ada', entityType: 'person', observations: ['wrote programs'] };
const relation = { from: 'Ada', to: 'Engine', relationType: 'programmed' };
export const memoryTools = [
  {
    tool: 'create_entities',
    arguments: { entities: [ada, { name: 'Engine', entityType: 'machine', observations: [] }] },
    text: /Ada/,
  },
  { tool: 'create_relations', arguments: { relations: [relation] }, text: /programmed/ },
  {
    tool: 'add_observations',
    arguments: { observations: [{ entityName: 'Ada', contents: ['a countess'] }] },
    text: /countess/,
  },
  { tool: 'read_graph', arguments: {}, text: /countess/ },
  { tool: 'search_nodes', arguments: { query: 'countess' }, text: /Ada/ },
  { tool: 'open_nodes', arguments: { names: ['Ada'] }, text: /Ada/ },
  {
    tool: 'delete_observations',
    arguments: { deletions: [{ entityName: 'Ada', observations: ['a countess'] }] },
    text: /deleted/i,
  },
  { tool: 'delete_relations', arguments: { relations: [relation] }, text: /deleted/i },
  { tool: 'delete_entities', arguments: { entityNames: ['Ada'] }, text: /deleted/i },
];

export const thinkingTools = [
  {
    tool: 'sequentialthinking',
    arguments: { thought: 'Begin', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    text: /thoughtNumber/,
  },
];
