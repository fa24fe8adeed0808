import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';
import { migrateToLatest } from '#server/platform/database/migrate.ts';
import { root } from './paths.ts';
import { generateTableTypes } from './table-types.ts';

const folder = await mkdtemp(join(tmpdir(), 'coomercio-tables-'));
// As root, PostgreSQL runs as another user, which needs access.
await chmod(folder, 0o755);
const server = await startEmbeddedPostgres({ folder, log: () => undefined });
try {
  await migrateToLatest(server.connectionString);
  const types = await generateTableTypes(server.connectionString);
  await writeFile(join(root, 'server/platform/database/tables.generated.ts'), types);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
