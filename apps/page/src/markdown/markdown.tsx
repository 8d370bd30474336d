// A text of a model as elements, block by block.
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import { GrowingBlocks, type Block } from './blocks.ts';
import { BlockView } from './elements.tsx';

/** @param done nothing is added to the text any more */
export const Markdown = memo(({ text, done }: { text: string; done: boolean }) => {
  const blocks = useRef<GrowingBlocks>(null);
  blocks.current ??= new GrowingBlocks();
  const all = blocks.current.update(text, done);
  return (
    <div class="markdown">
      {all.map((each, at) => (
        <KeptBlock key={at} block={each} closed={done || at < all.length - 1} />
      ))}
    </div>
  );
});

const KeptBlock = memo(
  ({ block, closed }: { block: Block; closed: boolean }) => <BlockView token={block.token} closed={closed} />,
  (a, b) => a.block === b.block && a.closed === b.closed,
);
