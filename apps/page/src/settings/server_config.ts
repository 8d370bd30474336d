// What a form about an MCP server says, as an entry of `mcpServers`.

export interface ServerFields {
  type: 'stdio' | 'http' | 'sse' | 'websocket';
  command: string;
  args: string; // one a line
  env: string; // NAME=VALUE, one a line
  url: string;
  headers: string; // Name: value, one a line
}

/** Why a form or a pasted text is no configuration; `where` names the field. */
export class FieldError extends Error {
  constructor(
    readonly where: string,
    readonly line: string,
  ) {
    super(`${where}: ${line}`);
  }
}

export function configOf(fields: ServerFields): Record<string, unknown> {
  const lines = (text: string) => text.split('\n').map((each) => each.trim()).filter(Boolean);
  if (fields.type === 'stdio') {
    const env = pairs('env', lines(fields.env), '=');
    return {
      type: 'stdio',
      command: fields.command.trim(),
      args: lines(fields.args),
      ...(Object.keys(env).length > 0 ? { env } : {}),
    };
  }
  const headers = pairs('headers', lines(fields.headers), ':');
  return {
    type: fields.type,
    url: fields.url.trim(),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
  };
}

/** Reads a pasted `{"mcpServers": {...}}`, or the object in it: name and entry of each server. */
export function pastedServers(text: string): [string, unknown][] {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new FieldError('JSON', (error as Error).message);
  }
  const all = (found as { mcpServers?: unknown } | null)?.mcpServers ?? found;
  if (typeof all !== 'object' || all === null || Array.isArray(all)) throw new FieldError('JSON', 'mcpServers');
  const entries = Object.entries(all);
  const bad = entries.find(([, each]) => typeof each !== 'object' || each === null);
  if (entries.length === 0 || bad) throw new FieldError('JSON', bad?.[0] ?? 'mcpServers');
  return entries;
}

function pairs(where: string, lines: string[], between: string): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(between);
      if (at < 1) throw new FieldError(where, line);
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
