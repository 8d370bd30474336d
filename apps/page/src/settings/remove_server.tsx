// Asks whether a server is to go, and says how many calls run.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { countCalls, removeServer } from '../server/mcp.ts';
import { forgetServer } from '../state/mcp_servers.ts';
import { complain } from '../state/notices.ts';
import { FormDialog } from '../view/form_dialog.tsx';

export function RemoveServer({ name, onClose }: { name: string; onClose: () => void }) {
  const [calls, setCalls] = useState(0);
  useEffect(() => void countCalls().then(setCalls, () => {}), []);
  const remove = async () => {
    onClose();
    try {
      await removeServer(name);
      forgetServer(name);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <FormDialog title={t('removeTitle', { name })} submit={t('remove')} onSubmit={() => void remove()} onClose={onClose} danger>
      <p>{t('removeAsks')}</p>
      {calls > 0 && <p class="bad-text">{t('runningCalls', { count: calls })}</p>}
    </FormDialog>
  );
}
