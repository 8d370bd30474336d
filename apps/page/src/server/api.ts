// Requests to the server that this page came from: its key, its errors.
import { retryAfter } from './retry_after.ts';

/** What the server said when it refused a request, or why it could not be asked at all. */
export class ServerError extends Error {
  constructor(
    readonly status: number, // 0: there was no answer
    message: string,
    readonly waitMs = 0, // how long it wants to be left alone
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

/**
 * `fetch` with the key, which goes to paths of this server only. The browser keeps no answer: another owner may come,
 * and a chat that was deleted and taken in again may have the version of the old one.
 */
async function fetchHere(path: string, init: RequestInit = {}): Promise<Response> {
  if (!path.startsWith('/')) throw new Error('only paths of this server are asked');
  const headers = new Headers(init.headers);
  const key = apiKey();
  if (key !== '') headers.set('authorization', `Bearer ${key}`);
  try {
    const answer = await fetch(path, { cache: 'no-store', ...init, headers });
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
  const wait = retryAfter(answer.headers.get('retry-after') ?? '');
  try {
    return new ServerError(answer.status, JSON.parse(text).error.message, wait);
  } catch {
    return new ServerError(answer.status, text.trim() || `The server answered with status ${answer.status}.`, wait);
  }
}

/** Returns the pause before attempt n at what is to last, in milliseconds: 1, 2, 4 ... 30 s. */
export const pauseBefore = (n: number): number => Math.min(30000, 1000 * 2 ** n);

const longestWait = 60_000; // milliseconds; who would wait longer is told

/**
 * Asks the server and resolves with its answer; rejects with a ServerError unless that is good.
 * @param patient asks again when the server wants it later, as is done for all that is only read
 */
export async function ask(path: string, init: RequestInit = {}, patient = (init.method ?? 'GET') === 'GET'): Promise<Response> {
  for (;;) {
    const answer = await answerOf(path, init);
    if (answer.ok) return answer;
    const error = await errorOf(answer);
    if (!patient || error.status !== 429 || error.waitMs === 0 || error.waitMs > longestWait) throw error;
    await new Promise((resolve) => setTimeout(resolve, error.waitMs));
  }
}

async function answerOf(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetchHere(path, init);
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw new ServerError(0, String(error));
  }
}

/** As ask(), and reads JSON. */
export async function askJson<T>(path: string, init?: RequestInit, patient?: boolean): Promise<T> {
  return (await ask(path, init, patient)).json() as Promise<T>;
}

/** Resolves with why this browser's key may not change what all share; '' if it may. */
export async function whyReadOnly(): Promise<string> {
  if (apiKey() === '') return ''; // where no key is needed, everybody may
  try {
    await ask('/v1/status'); // for admins only, and without effect
    return '';
  } catch (error) {
    return error instanceof ServerError && error.status === 403 ? error.message : '';
  }
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
