// SVG of a model as a picture that can run and load nothing.
import DOMPurify from 'dompurify';
import { harmless } from './harmless_svg.ts';
import { readXml, writeXml } from './xml.ts';

/** Returns the SVG without all that could run or load something; '' when nothing is left. */
export function cleanSvg(svg: string): string {
  const [top] = readXml(svg.trim());
  const left = top && harmless(top);
  if (left === undefined) return '';
  const clean = DOMPurify.sanitize(writeXml(left), {
    USE_PROFILES: { svg: true, svgFilters: true },
    RETURN_DOM: true,
  });
  const root = (clean as Element).querySelector('svg');
  if (root === null) return '';
  root.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(root);
}

/** Returns a URL of the picture; whoever asks for it must revoke it. */
export const svgUrl = (svg: string): string =>
  URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
