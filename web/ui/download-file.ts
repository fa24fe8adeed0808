/** Starts a download of a file. */
export function downloadFile(name: string, { text, type }: { text: BlobPart; type: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
