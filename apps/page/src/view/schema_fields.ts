// What a form makes of a JSON schema: fields, first values, and values as the schema wants them.
import type { Schema } from '../server/mcp.ts';

export interface FormField {
  name: string;
  title: string;
  description: string;
  kind: 'text' | 'number' | 'check' | 'choice' | 'choices' | 'json';
  inputType: 'text' | 'email' | 'url' | 'date';
  required: boolean;
  choices: { value: unknown; title: string }[];
  first: unknown;
  schema: Schema;
}

const inputTypes = new Map<string | undefined, FormField['inputType']>([['email', 'email'], ['uri', 'url'], ['date', 'date']]);

/** Returns the fields of an object's schema, in its order. */
export function fieldsOf(schema: Schema | undefined): FormField[] {
  return Object.entries(schema?.properties ?? {}).map(([name, of]) => {
    const kind = kindOf(of);
    return {
      name,
      title: of.title ?? name,
      description: of.description ?? '',
      kind,
      inputType: inputTypes.get(of.format) ?? 'text',
      required: schema?.required?.includes(name) ?? false,
      choices: choicesOf(kind === 'choices' ? (of.items ?? {}) : of),
      first: of.default ?? (kind === 'check' ? false : kind === 'choices' ? [] : ''),
      schema: of,
    };
  });
}

/** Returns what is sent of the values that were typed; throws with a field's title. */
export function valuesOf(fields: FormField[], typed: Record<string, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const each of fields) {
    const value = typed[each.name] ?? each.first;
    if (value === '' && !each.required) continue;
    if (each.kind === 'number') out[each.name] = numberOf(each, String(value));
    else if (each.kind === 'json') out[each.name] = jsonOf(each, value);
    else out[each.name] = value;
  }
  return out;
}

function kindOf(of: Schema): FormField['kind'] {
  const type = Array.isArray(of.type) ? of.type.find((each) => each !== 'null') : of.type;
  if (type === 'array') return choicesOf(of.items ?? {}).length > 0 ? 'choices' : 'json';
  if (choicesOf(of).length > 0) return 'choice';
  if (type === 'boolean') return 'check';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'string' ? 'text' : 'json';
}

function choicesOf(of: Schema): FormField['choices'] {
  const named = of.oneOf ?? of.anyOf;
  if (named?.every((each) => 'const' in each))
    return named.map((each) => ({ value: each.const, title: each.title ?? String(each.const) }));
  return (of.enum ?? []).map((value, at) => ({ value, title: of.enumNames?.[at] ?? String(value) }));
}

function numberOf(field: FormField, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new Error(field.title);
  return value;
}

function jsonOf(field: FormField, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new Error(field.title);
  }
}
