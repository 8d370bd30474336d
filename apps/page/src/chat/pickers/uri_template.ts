// Addresses with fields (RFC 6570, as far as MCP servers use it).

const field = /\{([+#./;?&]?)([^}]+)\}/g;
const isNamed = (form: string): boolean => form === '?' || form === '&' || form === ';';
const nameOf = (text: string): string => text.trim().replace(/[*]$|:\d+$/, '');

/** Returns a template's fields, once each; those of a query may stay empty. */
export function fieldsIn(template: string): { name: string; required: boolean }[] {
  const found = new Map<string, boolean>();
  for (const [, form, names] of template.matchAll(field))
    for (const name of names!.split(',').map(nameOf)) found.set(name, found.get(name) === true || !isNamed(form!));
  return [...found].map(([name, required]) => ({ name, required }));
}

/** Puts values into a template; a named field without one is left out. */
export function expand(template: string, values: Record<string, string>): string {
  return template.replace(field, (_, form: string, names: string) => {
    const encode = form === '+' || form === '#' ? encodeURI : encodeURIComponent;
    const parts = names.split(',').map(nameOf).flatMap((name) => {
      const value = encode(values[name] ?? '');
      if (!isNamed(form)) return [value];
      return value === '' ? [] : [`${name}=${value}`];
    });
    const between = { '.': '.', '/': '/', ';': ';', '?': '&', '&': '&' }[form] ?? ',';
    return parts.length === 0 ? '' : (form === '+' ? '' : form) + parts.join(between);
  });
}
