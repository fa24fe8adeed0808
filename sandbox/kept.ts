import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { makePrivateFolder, PRIVATE_FILE } from './private-files.ts';

const hasCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Puts a file there whole, unless another process was faster. */
async function putOnce(path: string, text: string): Promise<void> {
  const own = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(own, text, { mode: PRIVATE_FILE });
    // Unlike a renaming, a link takes nobody's place.
    await link(own, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * What is kept in a file as JSON: made at the first call, the same ever after for all processes, readable by its
 * owner only.
 * @throws when the folder cannot be used or what is kept there was damaged
 */
export async function kept<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  make: () => z.output<Schema> | Promise<z.output<Schema>>,
): Promise<z.output<Schema>> {
  let text = await readIfThere(path);
  if (text === null) {
    const made = await make();
    await makePrivateFolder(dirname(path));
    await putOnce(path, JSON.stringify(made));
    text = await readFile(path, 'utf8');
  }
  return z.parse(schema, JSON.parse(text));
}
