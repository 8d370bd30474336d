// The fields of a resource template.
import { useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { complete, type McpTemplate } from '../../server/mcp.ts';
import { FormDialog } from '../../view/form_dialog.tsx';
import { ArgumentFields } from './argument_fields.tsx';
import { expand, namesIn } from './uri_template.ts';

interface Props {
  template: McpTemplate;
  onClose: () => void;
  onDone: (uri: string) => void;
}

export function TemplateDialog({ template, onClose, onDone }: Props) {
  const [values, setValues] = useState<Record<string, string>>({});
  const names = namesIn(template.uriTemplate);
  const uri = expand(template.uriTemplate, values);
  return (
    <FormDialog
      title={template.name}
      submit={t('done')}
      onSubmit={() => onDone(uri)}
      onClose={onClose}
      disabled={names.some((name) => !values[name])}
    >
      <ArgumentFields
        fields={names.map((name) => ({ name, required: true }))}
        values={values}
        onChange={setValues}
        completions={(name, value) =>
          complete(template.server, { type: 'ref/resource', uri: template.uriTemplate }, name, value, values)
        }
      />
      <p class="note">{uri}</p>
    </FormDialog>
  );
}
