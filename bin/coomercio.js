#!/usr/bin/env node
// The entry of the package that `npm run package` makes. It installs and builds nothing. Plain JavaScript, so that an older
// Node prints one sentence instead of a syntax error.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MINIMUM_NODE = 24;

/** The program of each command, its first arguments, and whether it uses the shop's database. */
const commands = {
  start: { program: 'server/main.ts', args: [], database: true },
  migrate: { program: 'server/operations/commands/admin.ts', args: ['migrate'], database: true },
  admin: { program: 'server/operations/commands/admin.ts', args: [], database: true },
  backup: { program: 'server/operations/commands/admin.ts', args: ['backup'], database: true },
  restore: { program: 'server/operations/commands/admin.ts', args: ['restore'], database: true },
  ready: { program: 'server/operations/readiness/wait-until-ready.ts', args: [], database: false },
  identity: { program: 'identity/main.ts', args: [], database: false },
  'verify-certificate': {
    program: 'server/certification/certificates/verify-command.ts',
    args: [],
    database: false,
  },
};

/** @returns the reason why a command cannot run, in a sentence, or null */
function findProblem(name, command) {
  if (Number(process.versions.node.split('.')[0]) < MINIMUM_NODE) {
    return `This package needs Node ${MINIMUM_NODE} or newer, this is ${process.version}.`;
  }
  if (command === undefined) {
    return `Usage: coomercio ${Object.keys(commands).join('|')} [arguments]
Where deploy/install.sh installed the shop, also: coomercio upgrade FILE`;
  }
  if (command.database && !process.env.DATABASE_URL) {
    return `coomercio ${name} needs DATABASE_URL: this package contains no PostgreSQL. See docs/configuration.md.`;
  }
  if (process.env.SANDBOX === '1') {
    return 'SANDBOX=1 has no effect here: this package contains no stand-ins. Run them from the source code.';
  }
  return null;
}

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
const problem = findProblem(name, command);
if (problem !== null) {
  console.error(problem);
  process.exit(2);
}
// Without stand-ins every shop is a live one.
process.env.NODE_ENV ||= 'production';
const program = new URL(`../${command.program}`, import.meta.url);
if (!existsSync(program)) {
  console.error(`This package is not complete: ${command.program} is missing. Unpack it again.`);
  process.exit(1);
}
// For messages that name a command (server/platform/operator-command.ts).
process.env.SHOP_PROGRAM = 'coomercio';
// As if Node had been started with the program.
process.argv = [process.execPath, fileURLToPath(program), ...command.args, ...args];
await import(program);
