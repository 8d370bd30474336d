// An SVG of a model: cleaned, and then a picture only.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { cleanSvg, svgUrl } from './svg_image.ts';

export function SvgView({ svg, onDrawn }: { svg: string; onDrawn: (error?: Error) => void }) {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const clean = cleanSvg(svg);
    if (clean === '') return onDrawn(new Error(t('svgEmpty')));
    const made = svgUrl(clean);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  return (
    <figure aria-label={t('diagram')}>
      {url !== '' && (
        <img
          src={url}
          alt={titleOf(svg)}
          onLoad={() => onDrawn()}
          onError={() => onDrawn(new Error(t('svgBroken')))}
        />
      )}
      <figcaption class="hidden">{textsOf(svg).join(', ')}</figcaption>
    </figure>
  );
}

const titleOf = (svg: string): string => /<title[^>]*>([^<]*)/.exec(svg)?.[1] ?? t('drawing');
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<(?:text|tspan|title|desc)\b[^>]*>([^<]+)/g)].map((each) => each[1]!.trim()).filter(Boolean);
