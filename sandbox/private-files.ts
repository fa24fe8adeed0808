import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod/mini';

/** The stand-ins store emails and keys: only the owner may read their files. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Creates a folder with mode 0700, or gives an existing one this mode. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(folder, PRIVATE_FOLDER);
}

/**
 * Reads a JSON file, and creates it at the first call. Only its owner may read the file.
 * @param make creates the content
 * @throws if the folder cannot be used or the file is damaged
 */
export async function readOrCreate<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  make: () => z.output<Schema> | Promise<z.output<Schema>>,
): Promise<z.output<Schema>> {
  if (!existsSync(path)) {
    await makePrivateFolder(dirname(path));
    // A crash leaves no incomplete file at the path.
    await writeFile(`${path}.new`, JSON.stringify(await make()), { mode: PRIVATE_FILE });
    await rename(`${path}.new`, path);
  }
  return z.parse(schema, JSON.parse(await readFile(path, 'utf8')));
}
