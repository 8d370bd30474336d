// A button that opens a short list of actions.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

export interface MenuItem {
  label: string;
  icon?: IconName;
  run: () => void;
}

interface Props {
  label: string;
  icon: IconName;
  items: MenuItem[];
  class?: string;
}

/** Opens by click; closes by Escape, a click elsewhere, or a choice. Arrows move in it. */
export function Menu({ label, icon, items, class: more = '' }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', away);
    return () => removeEventListener('pointerdown', away);
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div class={`menu ${more}`} ref={root} onKeyDown={(event) => open && onKey(event, close)}>
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
      </button>
      {open && (
        <div class="menu-list" role="menu" aria-label={label}>
          {items.map((each) => (
            <button
              key={each.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close();
                each.run();
              }}
            >
              {each.icon && <Icon name={each.icon} />}
              {each.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function onKey(event: KeyboardEvent, close: () => void): void {
  const list = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = list.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (step === undefined) return;
  else list[(at + step + list.length) % list.length]?.focus();
  if (event.key !== 'Tab') event.preventDefault();
  event.stopPropagation();
}
