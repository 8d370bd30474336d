// The models that the server has.
import { listModels } from '../server/turns.ts';
import { createStore } from './store.ts';

export const models = createStore<string[]>([]);

export const readModels = (): Promise<void> => listModels().then(models.set, () => {});
