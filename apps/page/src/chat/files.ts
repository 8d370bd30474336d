// Files that go with a question: what is taken, and as what.
import type { TextUIPart } from 'ai';
import { ServerError } from '../server/api.ts';
import { isUploaded, upload } from '../server/uploads.ts';
import type { Attached } from '../state/chosen_files.ts';

/** How an upload is followed and ended. */
export interface Following {
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Pasted text above this becomes a file. */
export const longPaste = 20_000; // characters
const mostBytes = 5_000_000; // of what is in the message itself
const uploadAbove = 200_000; // bytes: a small picture costs less in the message than on its own
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const documents = ['application/pdf', 'audio/wav', 'audio/x-wav', 'audio/mpeg'];

/** Why a file is not taken. */
export class FileRefused extends Error {
  constructor(
    readonly why: 'tooLarge' | 'notText',
    readonly file: string,
  ) {
    super(why);
  }
}

/** Reads a file as a part of a message; a large picture, a PDF and a sound go to the server. Rejects with FileRefused. */
export async function attachedFile(file: File, following: Following): Promise<Attached> {
  const isPicture = pictures.includes(file.type);
  const isDocument = documents.includes(file.type);
  if (isDocument || (isPicture && file.size > uploadAbove)) {
    const made = await uploaded(file, following);
    if (made !== undefined) return made;
  }
  if (file.size > mostBytes) throw new FileRefused('tooLarge', file.name);
  if (isPicture || isDocument) {
    const url = await dataUrl(file);
    const part = { type: 'file' as const, mediaType: file.type, filename: file.name, url };
    return { name: file.name, size: file.size, part };
  }
  const text = decoded(await file.arrayBuffer());
  if (text === undefined) throw new FileRefused('notText', file.name);
  return attachedText(file.name, text);
}

/** The file as the server keeps it; undefined if it keeps none. */
async function uploaded(file: File, { onProgress, signal }: Following): Promise<Attached | undefined> {
  try {
    const { url, mediaType, filename } = await upload(file, onProgress, signal);
    if (!isUploaded(url)) throw new ServerError(0, url);
    const part = { type: 'file' as const, mediaType, filename, url };
    const preview = mediaType.startsWith('image/') ? URL.createObjectURL(file) : undefined;
    return { name: file.name, size: file.size, part, preview };
  } catch (error) {
    if (error instanceof ServerError && (error.status === 501 || error.status === 404)) return undefined;
    throw error;
  }
}

/** A text as a file that models can read: a part of its own, which pages show folded. */
export function attachedText(name: string, text: string): Attached {
  const size = new Blob([text]).size;
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const part: TextUIPart = {
    type: 'text',
    text: `File ${name}:\n${fence}\n${text}\n${fence}`,
    providerMetadata: { troupe: { file: { name, size } } },
  };
  return { name, size, part };
}

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`{3,}/g) ?? []).map((each) => each.length));

function decoded(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}
