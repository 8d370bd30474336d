// Calls a tool by hand.
import { useState } from 'preact/hooks';
import { ToolOutput } from '../chat/parts/tool_output.tsx';
import { t } from '../i18n/text.ts';
import { callTool, type McpTool } from '../server/mcp.ts';
import { FormDialog } from '../view/form_dialog.tsx';
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
    <FormDialog
      title={tool.title ?? tool.name}
      submit={running ? t('toolRunning') : t('call')}
      onSubmit={() => void call()}
      onClose={onClose}
      disabled={running}
      problem={problem}
      cancel={t('close')}
      wide
    >
      <p class="note">{tool.description}</p>
      <SchemaForm schema={tool.inputSchema} values={values} onChange={setValues} />
      {output !== undefined && <ToolOutput output={output} name={tool.name} />}
    </FormDialog>
  );
}
