// A clipboard holds one thing in several forms: which of them is meant.

/** GNOME's file manager has this in front of the paths. */
const head = /^x-special\/nautilus-clipboard\n(?:copy|cut)\n/;

/**
 * Returns whether the files of a clipboard are what was copied, and not its text: there is no text, or one that only
 * says which files they are. Cells of a spreadsheet have a picture beside their text.
 */
export function standsForFiles(text: string, files: Iterable<{ name: string }>): boolean {
  const names = [...files].map((each) => each.name.normalize());
  const lines = text.replace(head, '').split(/[\r\n]+/).map((line) => line.trim());
  return names.length > 0 && lines.every((line) => line === '' || names.some((name) => isNameOf(line, name)));
}

/** @param line a name, a path of any system, also in quotes, or a file: URI */
function isNameOf(line: string, name: string): boolean {
  const path = pathOf(line.replace(/^(["'])(.+)\1$/, '$2')).normalize();
  return path === name || path.endsWith(`/${name}`) || path.endsWith(`\\${name}`);
}

/** An address of the web names no file: what it leads to may have been copied with it. */
function pathOf(line: string): string {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(line)) return line;
  if (!/^file:/i.test(line)) return '';
  try {
    return decodeURIComponent(line);
  } catch {
    return '';
  }
}
