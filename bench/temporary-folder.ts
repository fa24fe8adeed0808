import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that is removed with `cleanup`. */
export async function temporaryFolder(cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-bench-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(folder, 0o755);
  return folder;
}
