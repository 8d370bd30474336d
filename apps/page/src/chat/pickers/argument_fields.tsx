// Text fields whose values the MCP server completes while one types.
import { useEffect, useId, useState } from 'preact/hooks';

interface Field {
  name: string;
  description?: string;
  required?: boolean;
}

interface Props {
  fields: Field[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
  completions: (name: string, value: string) => Promise<string[]>;
}

export function ArgumentFields({ fields, values, onChange, completions }: Props) {
  return (
    <>
      {fields.map((each) => (
        <OneField
          key={each.name}
          field={each}
          value={values[each.name] ?? ''}
          onChange={(value) => onChange({ ...values, [each.name]: value })}
          completions={completions}
        />
      ))}
    </>
  );
}

interface OneProps extends Pick<Props, 'completions'> {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}

const pause = 150; // ms without a key before the server is asked

function OneField({ field, value, onChange, completions }: OneProps) {
  const [offers, setOffers] = useState<string[]>([]);
  const list = useId();
  useEffect(() => {
    let left = false;
    const timer = setTimeout(
      () => void completions(field.name, value).then((found) => !left && setOffers(found), () => {}),
      pause,
    );
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [value]);
  return (
    <label class="field">
      <span>
        {field.name}
        {field.required ? ' *' : ''}
      </span>
      <input
        value={value}
        required={field.required}
        list={list}
        autocomplete="off"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {offers.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {field.description && <span class="note">{field.description}</span>}
    </label>
  );
}
