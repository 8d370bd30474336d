// The models that the server has.
import { listModels } from '../server/turns.ts';
import { settings } from './settings.ts';
import { createStore } from './store.ts';

export const models = createStore<string[]>([]);

export const readModels = (): Promise<void> => listModels().then(models.set, () => {});

/** The model that new chats begin with; '': the server's default, also for one that it has not any more. */
export function modelOfNewChats(): string {
  const { model } = settings.get();
  const all = models.get();
  return all.length === 0 || all.includes(model) ? model : '';
}
