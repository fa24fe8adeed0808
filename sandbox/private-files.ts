import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';

/** The stand-ins store e-mails and keys: only the owner may read their files. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Creates a folder with mode 0700, or gives an existing one this mode. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(folder, PRIVATE_FOLDER);
}

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Creates a complete file, unless another process has created it first. */
async function createOnce(path: string, text: string): Promise<void> {
  const own = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(own, text, { mode: PRIVATE_FILE });
    // Unlike a rename, a link does not replace an existing file.
    await link(own, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Reads a JSON file, and creates it at the first call. All processes get the same content, also if several create it at
 * the same time. Only its owner may read the file.
 * @param make creates the content
 * @throws if the folder cannot be used or the file is damaged
 */
export async function readOrCreate<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  make: () => z.output<Schema> | Promise<z.output<Schema>>,
): Promise<z.output<Schema>> {
  let text = await readIfExists(path);
  if (text === null) {
    const made = await make();
    await makePrivateFolder(dirname(path));
    await createOnce(path, JSON.stringify(made));
    text = await readFile(path, 'utf8');
  }
  return z.parse(schema, JSON.parse(text));
}
