import { parseArgs } from 'node:util';
import { StorageError } from '#server/listings/photos/storage.ts';
import { operatorCommand } from '#server/platform/operator-command.ts';
import { ConfigurationError } from '../configuration/config.ts';
import { BackupError, messageOf } from './archive.ts';
import { backUpTo, restoreFile } from './commands.ts';

const usage = `Usage: ${operatorCommand('backup', 'FILE')}, or ${operatorCommand('restore', 'FILE [--replace|--verify]')}`;

/** The exit code of a backup that is complete except for photos that the shop's storage has lost. */
const EXIT_PHOTOS_MISSING = 3;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { replace: { type: 'boolean', default: false }, verify: { type: 'boolean', default: false } },
});
const [command, file, ...rest] = positionals;
const isKnown = command === 'restore' || (command === 'backup' && !values.replace && !values.verify);
if (!isKnown || file === undefined || rest.length > 0 || (values.replace && values.verify)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    if (command === 'restore') await restoreFile(file, values);
    else if (!(await backUpTo(file))) process.exitCode = EXIT_PHOTOS_MISSING;
  } catch (error) {
    const hasMessage =
      error instanceof BackupError || error instanceof ConfigurationError || error instanceof StorageError;
    console.error(hasMessage ? error.message : `That did not work: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}
