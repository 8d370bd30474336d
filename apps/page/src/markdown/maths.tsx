// A formula as MathML; its source while the part that reads TeX is loaded, and where TeX is wrong.
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  tex: string;
  source: string;
  block: boolean;
  closed: boolean;
}

export function Maths({ tex, source, block, closed }: Props) {
  const place = useRef<HTMLElement>(null);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!closed) return;
    let left = false;
    const draw = async () => {
      const { default: temml } = await import('temml');
      if (left || place.current === null) return;
      try {
        const made = document.createElement('span');
        temml.render(tex, made, { displayMode: block, throwOnError: true, trust: false });
        place.current.replaceChildren(...made.childNodes);
        setDrawn(true);
      } catch {
        setDrawn(false);
      }
    };
    void draw();
    return () => void (left = true);
  }, [tex, block, closed]);
  return (
    <span class={block ? 'maths block' : 'maths'} data-tex={source}>
      <span ref={place} hidden={!drawn} />
      {!drawn && <code>{source.trim()}</code>}
    </span>
  );
}
