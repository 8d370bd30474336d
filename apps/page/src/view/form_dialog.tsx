// A dialog that is filled in and sent: its fields, what is wrong with them, and its buttons.
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/text.ts';
import { Dialog } from './dialog.tsx';

interface Props {
  title: string;
  submit: string; // what the button that sends says
  onSubmit: () => void;
  onClose: () => void;
  children: ComponentChildren;
  disabled?: boolean; // it cannot be sent yet
  danger?: boolean; // it takes something away
  problem?: string;
  cancel?: string;
  onCancel?: () => void;
  more?: ComponentChildren; // another button
  wide?: boolean;
}

export function FormDialog(props: Props) {
  const { title, submit, onSubmit, onClose, children, disabled, danger, problem, more, wide } = props;
  const { cancel = t('cancel'), onCancel = onClose } = props;
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {problem && (
          <p class="bad-text" role="alert">
            {problem}
          </p>
        )}
        <div class="row end">
          <button type="button" onClick={onCancel}>
            {cancel}
          </button>
          {more}
          <button type="submit" class={danger ? 'danger' : 'primary'} disabled={disabled}>
            {submit}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
