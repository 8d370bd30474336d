// What can be added to a question, in one menu.
import { useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { mcp } from '../state/mcp_servers.ts';
import { useStore } from '../state/store.ts';
import { Menu } from '../view/menu.tsx';
import type { PickerKind } from './pickers/picker.tsx';

interface Props {
  onFiles: (files: Iterable<File>) => Promise<void>;
  onPick: (kind: PickerKind) => void;
}

export function AddMenu({ onFiles, onPick }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { resources, templates, prompts } = useStore(mcp);
  const hasResources = resources.length + templates.length > 0;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          void onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <Menu
        label={t('add')}
        icon="plus"
        class="up"
        items={[
          { label: t('file'), icon: 'file', run: () => input.current?.click() },
          ...(hasResources ? [{ label: t('resource'), icon: 'resource' as const, run: () => onPick('resource') }] : []),
          ...(prompts.length > 0 ? [{ label: t('prompt'), icon: 'prompt' as const, run: () => onPick('prompt') }] : []),
        ]}
      />
    </>
  );
}
