import { toLine } from './values.ts';

/** Shown for an adapter that is there and whose product is not known. It must not be read as a product. */
const UNKNOWN_ADAPTER = 'Adapter of unknown model';

/** VGA controller, 3D controller and display controller (PCI Code and ID Assignment, base class 03). */
const CLASSES = new Set(['0300', '0302', '0380']);

/** A laptop has two, and a machine with more is none. */
const MAXIMUM_ADAPTERS = 4;
const MAXIMUM_LISTED = 16;

/** AMD's entry in the list of PCI ids has had several names, most of them with brackets. */
const amdNames =
  /^(?:Advanced Micro Devices,?(?: Inc\.?)? \[AMD(?:\/ATI)?\](?: nee ATI)?|ATI Technologies,? Inc\.?)(?: |$)/;

interface Adapter {
  address: string;
  name: string;
}

/** `lspci` writes the domain only if the machine has several. */
const fullAddress = (address: string) => (address.split(':').length === 2 ? `0000:${address}` : address);

/** A line of `lspci -mm -nn`: quoted fields, each with its number in brackets, in which a backslash escapes a quote. */
const fields =
  /^([0-9a-f:.]{7,16}) "[^"]{0,80}\[([0-9a-f]{4})\]" "((?:[^"\\]|\\.){0,200}?) ?\[[0-9a-f]{4}\]" "((?:[^"\\]|\\.){0,200}?) ?\[[0-9a-f]{4}\]"/;

/** What `lspci` writes instead of a product that the list of PCI ids does not have. */
const noProduct = /(?:^|[ .\]])(?:unknown )?device$/i;

/** A graphics adapter of a line; null when the line is another device's. */
function readLine(line: string): Adapter | null {
  const [, address = '', kind = '', maker = '', product = ''] = fields.exec(line) ?? [];
  if (!CLASSES.has(kind)) return null;
  const name = `${maker} ${product}`.trim().replace(/\\(.)/g, '$1').replace(amdNames, 'AMD ');
  const isKnown = !noProduct.test(name) && name !== 'AMD ';
  return { address: fullAddress(address), name: (isKnown ? toLine(name) : null) ?? UNKNOWN_ADAPTER };
}

/**
 * The names of a laptop's graphics adapters, from the list of `lspci` and from the kernel's own, which has no names.
 * Adapters in an enclosure, at a port that leads outside, are left out.
 * @param lspci undefined where it is not installed
 */
export function readGraphics(
  lspci: string | undefined,
  kernel: readonly { address: string; class: string | undefined; removable: string | undefined }[],
): string[] {
  const listed = (lspci ?? '')
    .split('\n')
    .flatMap((line) => readLine(line) ?? [])
    .slice(0, MAXIMUM_LISTED);
  const unnamed = kernel
    .filter((adapter) => CLASSES.has(adapter.class?.slice(2, 6) ?? ''))
    .filter(({ address }) => !listed.some((adapter) => adapter.address === address))
    .map(({ address }): Adapter => ({ address, name: UNKNOWN_ADAPTER }));
  const isOutside = ({ address }: Adapter) =>
    kernel.some((adapter) => adapter.address === address && adapter.removable === 'removable');
  return [...listed, ...unnamed]
    .filter((adapter) => !isOutside(adapter))
    .slice(0, MAXIMUM_ADAPTERS)
    .map(({ name }) => name);
}
