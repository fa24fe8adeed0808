import { resolve } from 'node:path';

/**
 * A command as the shop's operator types it: `npm run admin -- backups` in the source code, `coomercio admin backups` where
 * bin/coomercio.js runs the shop.
 * @param name such as `admin` @param args such as `backups`
 */
export function operatorCommand(name: string, args = ''): string {
  const { SHOP_PROGRAM: program } = process.env;
  if (program === undefined) return `npm run ${name}${args && ` -- ${args}`}`;
  return `${program} ${name}${args && ` ${args}`}`;
}

/** A path as the shop's operator types it, from the folder where the command was typed: deploy/coomercio.sh leaves it. */
export const operatorPath = (path: string): string => resolve(process.env.SHOP_CALLER_FOLDER ?? '', path);
