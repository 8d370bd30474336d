// A button that is an icon, with its name for readers and as a hint.
import { Icon, type IconName } from './icons.tsx';

interface Props {
  icon: IconName;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  class?: string;
  expanded?: boolean;
}

export function IconButton({ icon, label, onClick, disabled, class: more = '', expanded }: Props) {
  return (
    <button
      type="button"
      class={`icon-button ${more}`}
      aria-label={label}
      title={label}
      disabled={disabled}
      aria-expanded={expanded}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
