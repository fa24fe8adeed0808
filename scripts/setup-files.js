// Part of the bootstrap: plain JavaScript that Node 18 and later run.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const print = (line) => process.stdout.write(`${line}\n`);

/** Formats the time since a timestamp in milliseconds. */
export const secondsSince = (timestamp) => `${((Date.now() - timestamp) / 1000).toFixed(1)} s`;

/** Reads a file; undefined if it does not exist, or if it belongs to a process that has ended. */
export function readIfPresent(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}

/**
 * Hashes files and all files below folders, with their paths.
 *
 * @param {string} root
 * @param {string[]} paths relative to the root
 * @param {string} salt
 */
export function hashOf(root, paths, salt) {
  const hash = createHash('sha256').update(salt);
  for (const path of paths.flatMap((each) => filesBelow(root, each))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function filesBelow(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  try {
    return readdirSync(full)
      .sort()
      .flatMap((name) => filesBelow(root, join(path, name)));
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
}

/** Runs a program and collects its output. A signal that ends this process is forwarded to the program first. */
export function runQuietly(program, args, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
      const handler = () => {
        child.kill(signal);
        process.exit(signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : 129);
      };
      process.once(signal, handler);
      return () => process.off(signal, handler);
    });
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('error', (error) => reject(new Error(`${program} could not be started: ${error.message}.`)));
    child.once('close', (code) => {
      for (const remove of handlers) remove();
      resolve({ code, output });
    });
  });
}
