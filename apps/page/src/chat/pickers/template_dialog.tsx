// The fields of a resource template.
import { useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { complete, type McpTemplate } from '../../server/mcp.ts';
import { FormDialog } from '../../view/form_dialog.tsx';
import { ArgumentFields } from './argument_fields.tsx';
import { expand, fieldsIn } from './uri_template.ts';

interface Props {
  template: McpTemplate;
  submit?: string;
  onClose: () => void;
  onDone: (uri: string) => void;
}

export function TemplateDialog({ template, submit = t('done'), onClose, onDone }: Props) {
  const [values, setValues] = useState<Record<string, string>>({});
  const fields = fieldsIn(template.uriTemplate);
  const uri = expand(template.uriTemplate, values);
  return (
    <FormDialog
      title={template.name}
      submit={submit}
      onSubmit={() => onDone(uri)}
      onClose={onClose}
      disabled={fields.some((each) => each.required && !values[each.name])}
    >
      <ArgumentFields
        fields={fields}
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
