// Calls a tool by hand.
import { useState } from 'preact/hooks';
import { ToolOutput } from '../chat/parts/tool_output.tsx';
import { t } from '../i18n/text.ts';
import { callTool, type McpTool } from '../server/mcp.ts';
import { Dialog } from '../view/dialog.tsx';
import { fieldsOf, valuesOf } from '../view/schema_fields.ts';
import { SchemaForm } from '../view/schema_form.tsx';

export function TryTool({ tool, onClose }: { tool: McpTool; onClose: () => void }) {
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [output, setOutput] = useState<unknown>();
  const [problem, setProblem] = useState('');
  const [running, setRunning] = useState(false);
  const call = async () => {
    setProblem('');
    setRunning(true);
    try {
      const args = valuesOf(fieldsOf(tool.inputSchema), values);
      const answer = await callTool(tool.server, tool.name, args);
      setOutput(answer.result ?? answer.text);
      if (answer.error) setProblem(answer.error.message);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setRunning(false);
  };
  return (
    <Dialog title={tool.title ?? tool.name} onClose={onClose} wide>
      <p class="note">{tool.description}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
      >
        <SchemaForm schema={tool.inputSchema} values={values} onChange={setValues} />
        {problem !== '' && (
          <p class="bad-text" role="alert">
            {problem}
          </p>
        )}
        {output !== undefined && <ToolOutput output={output} name={tool.name} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            {t('close')}
          </button>
          <button type="submit" class="primary" disabled={running}>
            {running ? t('toolRunning') : t('call')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
