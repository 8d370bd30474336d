// SVG of a model as a picture that can run and load nothing.
import DOMPurify from 'dompurify';

/** Returns the SVG without all that could run or load something; '' when nothing is left. */
export function cleanSvg(svg: string): string {
  const clean = DOMPurify.sanitize(withoutStyles(svg), {
    USE_PROFILES: { svg: true, svgFilters: true },
    FORBID_TAGS: ['image', 'a', 'use', 'style', 'feimage'],
    RETURN_DOM: true,
  });
  const root = (clean as Element).querySelector('svg');
  if (root === null) return '';
  for (const each of [root, ...root.querySelectorAll('*')])
    for (const { name, value } of [...each.attributes])
      if (/url\(\s*['"]?(?!#)/i.test(value) || (/href$/i.test(name) && !value.startsWith('#')))
        each.removeAttribute(name);
  root.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(root);
}

/** Writes `style` as attributes of their own: the page's policy allows no style in a text. */
const withoutStyles = (svg: string): string =>
  svg.replace(/\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/g, (_, double?: string, single?: string) =>
    (double ?? single ?? '')
      .split(';')
      .map((each) => /^\s*([a-z-]+)\s*:\s*([^"'<>&]+?)\s*$/.exec(each))
      .map((found) => (found ? ` ${found[1]}="${found[2]}"` : ''))
      .join(''),
  );

/** Returns a URL of the picture; whoever asks for it must revoke it. */
export const svgUrl = (svg: string): string =>
  URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
