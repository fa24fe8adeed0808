// `npm run package`: makes a tar file with all that a shop needs besides PostgreSQL.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeArchive } from './package-archive.ts';
import { describePackage } from './package-contents.ts';
import { root } from './paths.ts';

/** Of the unpacked files, in bytes. */
const MAXIMUM_SIZE = 230_000_000;

const print = (line: string) => process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Returns the time of the last commit, or SOURCE_DATE_EPOCH; without git that of package.json. */
function modificationTime(): Date {
  const { SOURCE_DATE_EPOCH } = process.env;
  if (SOURCE_DATE_EPOCH !== undefined) return new Date(Number(SOURCE_DATE_EPOCH) * 1000);
  try {
    const seconds = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
    return new Date(Number(seconds) * 1000);
  } catch (error) {
    console.warn(`git does not know the time of the last commit (${String(error)}).`);
    return statSync(join(root, 'package.json')).mtime;
  }
}

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'dist') } },
});
const { name, files } = describePackage();
const file = join(values.out, `${name}.tar.gz`);
const size = await writeArchive(file, { folder: name, files, modified: modificationTime() });
const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
print(`${file}`);
print(`${files.length} files, ${megabytes(size)} unpacked, ${megabytes(statSync(file).size)} packed`);
print(`SHA-256 ${hash}`);
if (size > MAXIMUM_SIZE) {
  console.error(`The package must not be larger than ${megabytes(MAXIMUM_SIZE)} unpacked.`);
  process.exitCode = 1;
}
