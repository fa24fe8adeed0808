// Writes the server's modules without their types below build/stripped, where stripped-types.js finds them. A program of its
// own, because Node's type stripper takes 20 MB of memory and never returns it.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strippedFolder, strippedPath } from './stripped-types.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const modules = process.argv.slice(2).flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name))),
);

// Renamed at the end: a server that is running may still import one of them.
const draft = `${strippedFolder}.new`;
rmSync(draft, { recursive: true, force: true });
for (const path of modules) {
  const target = join(draft, relative(strippedFolder, strippedPath(path)));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, stripTypeScriptTypes(readFileSync(join(root, path), 'utf8')));
}
rmSync(strippedFolder, { recursive: true, force: true });
renameSync(draft, strippedFolder);
