// Run after each `npm install`: `npm run lockfile`.
//
// Adds the optional dependencies that `npm install` leaves out of the lock file because the registry lacks them, such as
// builds for other operating systems. `npm ci` refuses a lock file without them; an entry that is optional and for another
// system satisfies it and installs nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(path, 'utf8'));

const system = /^(linux|darwin|win32|android|freebsd|openbsd|netbsd|sunos|aix|openharmony)$/;
const processor = /^(x64|arm64|arm|armv7|ia32|ppc64|s390x|riscv64|loong64|mips64el|wasm32)$/;

/** The system and processor of a package named like `@biomejs/cli-win32-arm64`; undefined if its name has none. */
function platformOf(name) {
  const words = name.split(/[/\-_.]/);
  const os = words.find((word) => system.test(word));
  const cpu = words.find((word) => processor.test(word))?.replace('armv7', 'arm') ?? 'x64';
  if (os === undefined && cpu !== 'wasm32') return undefined;
  return { os: [os ?? 'wasi'], cpu: [cpu], ...(name.includes('musl') ? { libc: ['musl'] } : {}) };
}

let added = 0;
for (const [home, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    // The paths at which npm looks for it: in that package's folder and in those that contain it.
    const candidates = [`node_modules/${name}`];
    for (let at = home; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      candidates.push(`${at}/node_modules/${name}`);
    }
    if (candidates.some((path) => path in lock.packages)) continue;
    const platform = platformOf(name);
    if (platform === undefined) {
      console.error(`${home} asks for ${name}, which the registry lacks and whose name has no system.`);
      process.exitCode = 1;
      continue;
    }
    lock.packages[`node_modules/${name}`] = {
      version: range.replace(/^[^\d]*/, ''),
      optional: true,
      ...platform,
    };
    added += 1;
  }
}

const [head, ...rest] = Object.entries(lock.packages);
rest.sort(([one], [other]) => one.localeCompare(other, 'en'));
lock.packages = Object.fromEntries([head, ...rest]);
writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);
process.stdout.write(`${added} entries added to package-lock.json.\n`);
