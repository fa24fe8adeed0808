import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '#server/platform/database/tables.ts';
import { hasCode, orNull, writeSynced } from './disk-layout.ts';
import * as store from './store.ts';

// Photos on disk belong to one folder. A second machine on the same database would have a folder of its own, and its visitors
// would not see the photos of the first one. So the folder has an id in a file, which a copy of the folder keeps, and the
// database has the id of the shop's folder.

const ID_FILE = '.folder-id';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the id of a photo folder, and gives it one when it has none. @throws the errors of the file system */
async function readOrCreateId(folder: string): Promise<string> {
  const path = join(folder, ID_FILE);
  const existing = await orNull(readFile(path, 'utf8'));
  if (existing !== null) {
    const id = existing.trim();
    if (!uuid.test(id))
      throw new Error(`${path} does not contain an id. Restore it from a copy of the folder`);
    return id;
  }
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeSynced(draft, `${randomUUID()}\n`);
  try {
    // Unlike a rename, this fails when another process was faster.
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readOrCreateId(folder);
}

const describeProblem = (folder: string): string =>
  `The photos of this shop are in another folder than ${folder}: visitors of this process would not see them. Several machines need a bucket (S3_BUCKET) or one shared folder for COOMERCIO_DATA/photos. If the photos were moved here, copy the file ${ID_FILE} with them, or run the admin command adopt-photo-folder.`;

/**
 * Compares a photo folder with the one that is recorded in the shop's database. Records none: a start that fails must leave the
 * database free for another folder.
 * @returns why this process must not use the folder, as a sentence for the operator, or null
 */
export async function findFolderProblem(database: Database, folder: string): Promise<string | null> {
  const recorded = await store.findFolder(database);
  return recorded === undefined || recorded === (await readOrCreateId(folder))
    ? null
    : describeProblem(folder);
}

/** Records the folder of a process that is open, unless one is recorded. @returns as {@link findFolderProblem} */
export async function recordFolder(database: Database, folder: string): Promise<string | null> {
  const id = await readOrCreateId(folder);
  return (await store.recordFolder(database, id)) === id ? null : describeProblem(folder);
}

/** Makes a folder the one of the shop's photos. */
export async function adoptFolder(database: Database, folder: string): Promise<void> {
  await store.replaceFolder(database, await readOrCreateId(folder));
}
