// Requests to the server that this page came from: its key, its errors.

/** What the server said when it refused a request, or why it could not be asked at all. */
export class ServerError extends Error {
  constructor(
    readonly status: number, // 0: there was no answer
    message: string,
  ) {
    super(message);
    this.name = 'ServerError';
  }
}

const keyName = 'troupe.key';
let unauthorized: () => void = () => {};
let reachable: (yes: boolean) => void = () => {};

/** Who is told that a key is needed, and whether the server answers. */
export function watchServer(onUnauthorized: () => void, onReachable: (yes: boolean) => void): void {
  unauthorized = onUnauthorized;
  reachable = onReachable;
}

/** The API key of this browser tab, '' without one. */
export const apiKey = (): string =>
  sessionStorage.getItem(keyName) ?? localStorage.getItem(keyName) ?? '';

/** Keeps a key for this tab, or for good; '' forgets it everywhere. */
export function setApiKey(key: string, stay: boolean): void {
  sessionStorage.removeItem(keyName);
  localStorage.removeItem(keyName);
  if (key !== '') (stay ? localStorage : sessionStorage).setItem(keyName, key);
}

/** `fetch` with the key. The key goes to paths of this server only. */
export async function fetchHere(path: string, init: RequestInit = {}): Promise<Response> {
  if (!path.startsWith('/')) throw new Error('only paths of this server are asked');
  const headers = new Headers(init.headers);
  const key = apiKey();
  if (key !== '') headers.set('authorization', `Bearer ${key}`);
  try {
    const answer = await fetch(path, { ...init, headers });
    reachable(true);
    if (answer.status === 401) unauthorized();
    return answer;
  } catch (error) {
    if (!(error instanceof DOMException)) reachable(false);
    throw error;
  }
}

/** Reads the error of an answer, whatever form it has. */
async function errorOf(answer: Response): Promise<ServerError> {
  const text = await answer.text().catch(() => '');
  try {
    return new ServerError(answer.status, JSON.parse(text).error.message);
  } catch {
    return new ServerError(answer.status, text.trim() || `The server answered with status ${answer.status}.`);
  }
}

/** Returns the pause before attempt n at what is to last, in milliseconds: 1, 2, 4 ... 30 s. */
export const pauseBefore = (n: number): number => Math.min(30000, 1000 * 2 ** n);

/** Asks the server and resolves with its answer; rejects with a ServerError unless that is good. */
export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetchHere(path, init);
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw new ServerError(0, String(error));
  }
  if (!answer.ok) throw await errorOf(answer);
  return answer;
}

/** As ask(), and reads JSON. */
export async function askJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  return (await ask(path, init)).json() as Promise<T>;
}

/** Sends JSON. */
export const send = (method: string, body: unknown, headers: HeadersInit = {}): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Returns a path with its ids encoded: at`/v1/conversations/${id}`. */
export const at = (texts: TemplateStringsArray, ...ids: string[]): string =>
  texts.reduce((path, text, i) => path + encodeURIComponent(ids[i - 1] ?? '') + text);
