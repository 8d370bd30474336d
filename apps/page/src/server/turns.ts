// Turns beside those that useChat asks for: stop one, go on with one, which models there are.
import { ask, askJson, at, send } from './api.ts';

/** Stops what runs in a chat; nothing running is as good. */
export const stopTurn = (id: string) => ask(at`/api/chat/${id}/stop`, { method: 'POST' });

/** Has the model go on with a turn that a restart cut off. The turn then runs without its client. */
export async function continueTurn(id: string): Promise<void> {
  const body = { resume: true, resumable: true };
  const answer = await ask(at`/v1/sessions/${id}/turns`, send('POST', body));
  const reader = answer.body!.getReader();
  await reader.read(); // its first event: the turn runs
  await reader.cancel();
}

/** The models' names, the default first where the server says so. */
export const listModels = async (): Promise<string[]> =>
  (await askJson<{ data: { id: string }[] }>('/v1/models')).data.map((each) => each.id);

/** The version of the server, as its plain page names it. */
export const readVersion = async (): Promise<string> => {
  const text = await (await ask('/', { headers: { accept: 'text/plain' } })).text();
  return text.split('\n', 1)[0]!;
};
