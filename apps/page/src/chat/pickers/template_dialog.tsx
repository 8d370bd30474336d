// The fields of a resource template.
import { useState } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { complete, type McpTemplate } from '../../server/mcp.ts';
import { Dialog } from '../../view/dialog.tsx';
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
    <Dialog title={template.name} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onDone(uri);
        }}
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
        <div class="row end">
          <button type="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="primary" disabled={names.some((name) => !values[name])}>
            {t('done')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
