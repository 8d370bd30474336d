// Files that are dropped on the page.
import { useEffect, useRef, useState } from 'preact/hooks';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** Keeps the browser from opening a file that is dropped: that would leave the page. */
export function keepPage(): void {
  for (const name of ['dragover', 'drop'] as const)
    addEventListener(name, (event) => hasFiles(event) && event.preventDefault());
}

/**
 * Gives files to `take` that are dropped anywhere on the page while the component is there. Returns
 * whether some are held over the page.
 */
export function useFileDrop(take: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const now = useRef(take);
  now.current = take;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => (clearTimeout(timer), setOver(false));
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      clearTimeout(timer);
      timer = setTimeout(end, 300); // it comes all the time while they are held here
      setOver(true);
    };
    const onDrop = (event: DragEvent) => {
      end();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) now.current(files);
    };
    addEventListener('dragover', onOver);
    addEventListener('drop', onDrop);
    return () => {
      clearTimeout(timer);
      removeEventListener('dragover', onOver);
      removeEventListener('drop', onDrop);
    };
  }, []);
  return over;
}
