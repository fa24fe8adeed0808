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
