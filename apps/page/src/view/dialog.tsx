// A question or form in front of the page.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { dialogs, Notices } from './notices.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

export function Dialog({ title, onClose, children, wide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    dialogs.set([...dialogs.get(), name]);
    return () => {
      dialogs.set(dialogs.get().filter((each) => each !== name));
      before?.focus?.();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : ''}
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={name}>{title}</h2>
      {children}
      <Notices of={name} />
    </dialog>
  );
}
