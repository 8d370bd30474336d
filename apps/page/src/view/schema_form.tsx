// Fields for a JSON schema: what a server asks for, or what a tool takes.
import { fieldsOf, type FormField } from './schema_fields.ts';
import type { Schema } from '../server/mcp.ts';

interface Props {
  schema: Schema | undefined;
  values: Record<string, unknown>;
  onChange: (values: Record<string, unknown>) => void;
}

export function SchemaForm({ schema, values, onChange }: Props) {
  return (
    <>
      {fieldsOf(schema).map((each) => (
        <OneField
          key={each.name}
          field={each}
          value={values[each.name] ?? each.first}
          onChange={(value) => onChange({ ...values, [each.name]: value })}
        />
      ))}
    </>
  );
}

interface OneProps {
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
}

function OneField({ field, value, onChange }: OneProps) {
  const title = `${field.title}${field.required ? ' *' : ''}`;
  if (field.kind === 'choices') return <Choices field={field} value={value as unknown[]} onChange={onChange} />;
  if (field.kind === 'check')
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        {title}
        {field.description && <span class="note">{field.description}</span>}
      </label>
    );
  return (
    <label class="field">
      <span>{title}</span>
      <Input field={field} value={value} onChange={onChange} />
      {field.description && <span class="note">{field.description}</span>}
    </label>
  );
}

function Input({ field, value, onChange }: OneProps) {
  const { schema } = field;
  if (field.kind === 'choice')
    return (
      <select
        value={field.choices.findIndex((each) => each.value === value)}
        onChange={(event) => onChange(field.choices[Number(event.currentTarget.value)]?.value ?? '')}
      >
        <option value={-1} />
        {field.choices.map((each, at) => (
          <option key={at} value={at}>
            {each.title}
          </option>
        ))}
      </select>
    );
  if (field.kind === 'json')
    return (
      <textarea
        value={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <input
      type={(field.kind === 'number' ? 'number' : field.inputType) as 'text'}
      step={schema.type === 'integer' ? 1 : 'any'}
      min={schema.minimum}
      max={schema.maximum}
      minLength={schema.minLength}
      maxLength={schema.maxLength}
      required={field.required}
      autocomplete="off"
      value={String(value)}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Choices({ field, value, onChange }: OneProps & { value: unknown[] }) {
  return (
    <fieldset>
      <legend>{field.title}</legend>
      {field.choices.map((each, at) => (
        <label key={at} class="check">
          <input
            type="checkbox"
            checked={value.includes(each.value)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...value, each.value] : value.filter((one) => one !== each.value))
            }
          />
          {each.title}
        </label>
      ))}
    </fieldset>
  );
}
