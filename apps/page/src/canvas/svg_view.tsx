// An SVG of a model: cleaned, and then a picture only.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { cleanSvg, svgUrl } from './svg_image.ts';
import { Viewport } from './viewport.ts';
import { ZoomFrame, type Seen } from './zoom_frame.tsx';

const largestAtFirst = 8; // an icon fills its place

export function SvgView({ svg, onDrawn }: { svg: string; onDrawn: (error?: Error) => void }) {
  const [url, setUrl] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const seen = useMemo((): Seen => {
    const viewport = new Viewport(largestAtFirst);
    const look = () => {
      const { scale, left, top } = viewport.view;
      if (image.current) image.current.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    };
    return { viewport, look };
  }, []);
  useEffect(() => {
    const clean = cleanSvg(svg);
    if (clean === '') return onDrawn(new Error(t('svgEmpty')));
    const made = svgUrl(clean);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  const onLoad = (event: Event) => {
    const { naturalWidth, naturalHeight } = event.currentTarget as HTMLImageElement;
    seen.viewport.fit();
    seen.viewport.setDrawn({ x: 0, y: 0, width: naturalWidth, height: naturalHeight });
    seen.look();
    onDrawn();
  };
  return (
    <ZoomFrame place={place} seen={() => seen} words={textsOf(svg).join(', ')}>
      <img
        ref={image}
        hidden={url === ''}
        src={url === '' ? undefined : url}
        alt={titleOf(svg)}
        draggable={false}
        onLoad={onLoad}
        onError={() => onDrawn(new Error(t('svgBroken')))}
      />
    </ZoomFrame>
  );
}

const titleOf = (svg: string): string => /<title[^>]*>([^<]*)/.exec(svg)?.[1] ?? t('drawing');
const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<(?:text|tspan|title|desc)\b[^>]*>([^<]+)/g)].map((each) => each[1]!.trim()).filter(Boolean);
