import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import { archiveFile, verifiedEntries } from '#server/backup/read-archive.ts';

/**
 * Converts a backup to format version 1, in which the manifest is last and lists all entries.
 * @param options.photos whether to include photos; versions without bucket support left them out
 * @param options.more further entries, such as photo variants, which version 1 included
 */
export async function writeVersion1(
  backup: string,
  path: string,
  { photos = true, more = {} }: { photos?: boolean; more?: Record<string, Buffer> } = {},
): Promise<void> {
  const pack = tar.pack();
  const written = pipeline(pack, createWriteStream(path));
  const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex');
  const put = (name: string, content: Buffer) =>
    pipeline([content], pack.entry({ name, size: content.length }));

  const stated: { name: string; size: number; sha256: string }[] = [];
  const add = async (name: string, content: Buffer) => {
    await put(name, content);
    stated.push({ name, size: content.length, sha256: sha256Of(content) });
  };
  const entries = verifiedEntries(archiveFile(backup));
  let next = await entries.next();
  for (; next.done !== true; next = await entries.next()) {
    const { name, content } = next.value;
    if (photos || !name.startsWith('photos/')) await add(name, await buffer(content));
  }
  for (const [name, content] of Object.entries(more)) await add(name, content);
  const { missingPhotos, ...manifest } = next.value.manifest;
  const count = stated.filter(({ name }) => name.startsWith('photos/')).length;
  const text = JSON.stringify({
    ...manifest,
    version: 1,
    photos: photos ? count : null,
    ...(photos && { missingPhotos: missingPhotos.first }),
    entries: stated,
  });
  await put('manifest.json', Buffer.from(text));
  await put('manifest.json.sha256', Buffer.from(`${sha256Of(Buffer.from(text))}  manifest.json\n`));
  pack.finalize();
  await written;
}
