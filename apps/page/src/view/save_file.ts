// Has the browser save a text or bytes as a file.
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A title as the name of a file. */
export const fileName = (title: string, ending: string): string =>
  `${title.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim().slice(0, 60) || 'chat'}.${ending}`;

/** "12 KB", "3.4 MB". */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
