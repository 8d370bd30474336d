// A chat as a Markdown file.
import type { UIMessage } from 'ai';
import { fileOfText, toolOf } from './session_state.ts';

/** Returns the messages with their texts, files and tool calls. */
export function markdownOf(title: string, messages: UIMessage[]): string {
  const all = messages.map((each) => `## ${each.role === 'user' ? 'You' : 'Assistant'}\n\n${each.parts.map(partOf).filter(Boolean).join('\n\n')}`);
  return `# ${title}\n\n${all.join('\n\n')}\n`;
}

function partOf(part: UIMessage['parts'][number]): string {
  if (part.type === 'text') {
    const file = fileOfText(part);
    return file ? `*File: ${file.name}*` : part.text.trim();
  }
  if (part.type === 'file') return `*File: ${part.filename ?? part.mediaType}*`;
  if (!('toolCallId' in part)) return '';
  const name = toolOf(part);
  const fence = (what: unknown) => `\`\`\`\`json\n${JSON.stringify(what, null, 2) ?? ''}\n\`\`\`\``;
  const output = part.state === 'output-available' ? `\n\n${fence(part.output)}` : part.state === 'output-error' ? `\n\n${part.errorText}` : '';
  return `*Tool ${name}*\n\n${fence(part.input)}${output}`;
}
