// Files that are kept by the server, so that they do not travel with each question.
import { apiKey, ask, ServerError } from './api.ts';

export interface Uploaded {
  id: string;
  url: string; // a path of this server
  mediaType: string;
  filename: string;
  bytes: number;
}

/** Sends a file; `onProgress` hears the share that is sent. Rejects with a ServerError (0: it did not arrive), or as `signal` says. */
export function upload(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // fetch tells no progress
    request.open('POST', `/v1/files?filename=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('content-type', file.type || 'application/octet-stream');
    if (apiKey() !== '') request.setRequestHeader('authorization', `Bearer ${apiKey()}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => (request.status === 200 ? resolve(JSON.parse(request.responseText)) : reject(errorOf(request)));
    request.onerror = () => reject(new ServerError(0, file.name));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function errorOf(request: XMLHttpRequest): ServerError {
  try {
    return new ServerError(request.status, JSON.parse(request.responseText).error.message);
  } catch {
    return new ServerError(request.status, request.responseText);
  }
}

/** Whether an address is that of a file which the server keeps. */
export const isUploaded = (url: string): boolean => /^\/v1\/files\/file-[0-9a-v]{24}$/.test(url);

/** The contents of a file; undefined if it is not there any more. Rejects with a ServerError. */
export async function contentsOf(url: string): Promise<Blob | undefined> {
  try {
    return await (await ask(`${url}/content`)).blob();
  } catch (error) {
    if (error instanceof ServerError && error.status === 404) return undefined;
    throw error;
  }
}

/** Deletes a file that goes with no question; also while the page is left. */
export const dropUploaded = (url: string): Promise<unknown> => ask(url, { method: 'DELETE', keepalive: true });
