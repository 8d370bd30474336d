// Addresses with fields (RFC 6570, as far as MCP servers use it).

const field = /\{([+#./;?&]?)([^}]+)\}/g;

/** Returns the names of a template's fields. */
export const namesIn = (template: string): string[] =>
  [...template.matchAll(field)].flatMap(([, , names]) => names!.split(',').map((each) => each.replace(/[*]$|:\d+$/, '')));

/** Puts values into a template. */
export function expand(template: string, values: Record<string, string>): string {
  return template.replace(field, (_, form: string, names: string) => {
    const encode = form === '+' || form === '#' ? encodeURI : encodeURIComponent;
    const named = form === '?' || form === '&' || form === ';';
    const parts = names.split(',').map((each) => {
      const name = each.replace(/[*]$|:\d+$/, '');
      const value = encode(values[name] ?? '');
      return named ? `${name}=${value}` : value;
    });
    const between = { '.': '.', '/': '/', ';': ';', '?': '&', '&': '&' }[form] ?? ',';
    return (form === '+' ? '' : form) + parts.join(between);
  });
}
