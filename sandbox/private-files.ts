import { chmod, mkdir } from 'node:fs/promises';

/** The stand-ins store e-mails and keys: only the owner may read their files. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Creates a folder with mode 0700, or gives an existing one this mode. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(folder, PRIVATE_FOLDER);
}
