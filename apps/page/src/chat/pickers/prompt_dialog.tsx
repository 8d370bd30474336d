// The arguments of a prompt, what it will say, and the button that asks it.
import { useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { complete, getPrompt, type McpPrompt } from '../../server/mcp.ts';
import { complain } from '../../state/notices.ts';
import { FormDialog } from '../../view/form_dialog.tsx';
import { sendPrompt } from '../send.ts';
import type { ChatSession } from '../session.ts';
import { ArgumentFields } from './argument_fields.tsx';

interface Props {
  prompt: McpPrompt;
  session: ChatSession;
  busy: boolean; // it cannot be asked now
  onClose: () => void;
}

export function PromptDialog({ prompt, session, busy, onClose }: Props) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [preview, setPreview] = useState<string>();
  const fields = prompt.arguments ?? [];
  const given = () => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const missing = fields.some((each) => each.required && !values[each.name]);
  const read = async (): Promise<string> => {
    const { messages } = await getPrompt(prompt.server, prompt.name, given());
    return messages.map((each) => each.content.text ?? `[${each.content.type}]`).join('\n\n');
  };
  const ask = async () => {
    try {
      const text = preview ?? (await read());
      onClose();
      void sendPrompt(session, { server: prompt.server, name: prompt.name, arguments: given() }, text);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <FormDialog
      title={prompt.title ?? prompt.name}
      submit={t('ask')}
      onSubmit={() => void ask()}
      onClose={onClose}
      disabled={missing || busy}
      more={
        <button type="button" disabled={missing} onClick={() => void read().then(setPreview, complain)}>
          {t('preview')}
        </button>
      }
    >
      {prompt.description && <p class="note">{prompt.description}</p>}
      <ArgumentFields
        fields={fields}
        values={values}
        onChange={(next) => (setValues(next), setPreview(undefined))}
        completions={(name, value) =>
          complete(prompt.server, { type: 'ref/prompt', name: prompt.name }, name, value, values)
        }
      />
      {preview !== undefined && (
        <pre class="preview" tabIndex={0} role="group" aria-label={t('preview')}>
          {preview}
        </pre>
      )}
    </FormDialog>
  );
}
