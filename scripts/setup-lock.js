// Part of the bootstrap: plain JavaScript that Node 18 and later run.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print, readIfPresent } from './setup-files.js';

/**
 * Runs `action` while no other process installs or builds in the same folder.
 *
 * @param {string} root
 * @param {() => Promise<void>} action
 */
export async function withSetupLock(root, action) {
  const lock = join(
    tmpdir(),
    `coomercio-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`,
  );
  const own = `${process.pid} ${startTime(process.pid)}`;
  let hasPrinted = false;
  while (!tryAcquire(lock, own)) {
    if (!hasPrinted) print('Another process is preparing this folder: waiting for it.');
    hasPrinted = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await action();
  } finally {
    process.off('exit', release);
    release();
  }
}

function tryAcquire(lock, own) {
  try {
    writeFileSync(lock, own, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const holder = readIfPresent(lock);
  if (holder === undefined) return false;
  const [pid, started] = holder.split(' ');
  // An empty lock is one that its holder has created and not yet written.
  if (holder === '' || startTime(Number(pid)) === started) return false;
  // The holder has ended. Of several processes that notice, the one that renames the lock removes it. If the renamed
  // lock turns out to be a new one, it is put back.
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
  return false;
}

/** The start time of a process, which distinguishes it from a later one with the same id; empty if it has ended. */
function startTime(pid) {
  if (process.platform !== 'linux') return startTimeByPs(pid);
  const stat = readIfPresent(`/proc/${pid}/stat`) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** For systems without `/proc`. */
function startTimeByPs(pid) {
  const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } };
  const { error, stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], options);
  if (error !== undefined) throw new Error(`ps could not be started: ${error.message}.`);
  return stdout.trim().replaceAll(/\s+/g, '-');
}
