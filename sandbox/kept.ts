import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * What is kept in a file as JSON: made at the first call, the same ever after, readable by its owner only.
 * @throws when the folder cannot be used or what is kept there was damaged
 */
export async function kept<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  make: () => z.output<Schema> | Promise<z.output<Schema>>,
): Promise<z.output<Schema>> {
  const text = await readIfThere(path);
  if (text !== null) return z.parse(schema, JSON.parse(text));
  const made = await make();
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, JSON.stringify(made), { mode: 0o600 });
  await rename(`${path}.new`, path);
  return made;
}
