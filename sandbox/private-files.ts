import { chmod, mkdir } from 'node:fs/promises';

/** What a stand-in keeps are people's mails, payments and keys, so its files are for their owner only. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Makes a folder that only its owner can enter; one that is there already becomes so. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  await chmod(folder, PRIVATE_FOLDER);
}
