import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { PackageFile } from './package-contents.ts';
import { root } from './paths.ts';

export const modeOf = ({ path }: PackageFile) => (/^bin\/|^deploy\/.*\.sh$/.test(path) ? 0o755 : 0o644);

const contentOf = async ({ content }: PackageFile): Promise<Buffer> =>
  'text' in content ? Buffer.from(content.text) : readFile(join(root, content.from));

/**
 * Writes the package as a compressed tar file. Its bytes depend on the contents, `modified` and Node's zlib only.
 * @param folder the name of the only folder in it
 * @param modified the modification time of all files. Browsers revalidate assets by it, so versions must differ
 * @returns the total size of its files in bytes
 */
export async function writeArchive(
  file: string,
  { folder, files, modified }: { folder: string; files: readonly PackageFile[]; modified: Date },
): Promise<number> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.part`;
  const archive = pack();
  const written = pipeline(archive, createGzip({ level: 9 }), createWriteStream(draft));
  let total = 0;
  try {
    for (const each of files) {
      const bytes = await contentOf(each);
      total += bytes.length;
      archive.entry(
        { name: `${folder}/${each.path}`, mode: modeOf(each), mtime: modified, uid: 0, gid: 0 },
        bytes,
      );
    }
    archive.finalize();
    await written;
  } catch (error) {
    archive.destroy();
    await written.catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
  await rename(draft, file);
  return total;
}
