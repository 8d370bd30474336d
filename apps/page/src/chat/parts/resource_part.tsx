// A resource of an MCP server that went with a question.
import { Icon } from '../../view/icons.tsx';

export function ResourcePart({ data }: { data: unknown }) {
  const { server = '', uri = '', name = '' } = (data ?? {}) as Record<string, string>;
  return (
    <p class="file" title={uri}>
      <Icon name="resource" /> {name || uri} <span class="note">{server}</span>
    </p>
  );
}
