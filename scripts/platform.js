// Part of the bootstrap: plain JavaScript that Node 18 and later run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Refuses systems on which nothing would work. macOS is accepted, but untried: it needs a Node of its own and, because the
 * embedded PostgreSQL is supervised with `/proc`, DATABASE_URL.
 *
 * @throws {Error} with one sentence
 */
export function requireSupportedSystem() {
  if (process.platform === 'linux' || process.platform === 'darwin') return;
  throw new Error(
    `Coomercio runs on Linux (x64 or arm64), this is ${process.platform} on ${process.arch}: take a Linux machine, a container or WSL.`,
  );
}

/**
 * The path of the Node that the lock file pins, or of this Node if it is version 24 or later.
 *
 * @param {string} root
 */
export function nodeProgram(root) {
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Error(
    `Coomercio brings its own Node for Linux on x64 and arm64; here (${process.platform} ${process.arch}) it needs Node 24, this is ${process.version}.`,
  );
}
