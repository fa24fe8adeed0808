import { breakTextIntoLines, PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import type { Address, ScanForm, Shipment } from './shipments.ts';

const MARGIN = 14;

const addressLines = ({ name, company, street1, street2, city, state, zip, country }: Address): string[] =>
  [
    name ?? company ?? '',
    street1,
    street2 ?? '',
    [[city, state].filter(Boolean).join(', '), zip].filter(Boolean).join(' '),
    country === 'US' ? '' : country,
  ].filter((line) => line !== '');

/** The widths of bars and gaps that stand for a code. No scanner reads them. */
const barsOf = (code: string): number[] =>
  [...code].flatMap((letter) => {
    const value = letter.codePointAt(0) ?? 0;
    return [1 + (value % 3), 1 + (value % 2), 1 + ((value >> 2) % 3), 1 + ((value >> 1) % 2)];
  });

/**
 * Prints a sheet: a code, and texts below it, which are broken where they are too wide.
 * @param size width and height, in points @param texts with their sizes
 */
async function printSheet(
  title: string,
  [width, height]: [width: number, height: number],
  code: string,
  texts: readonly (readonly [text: string, size: number])[],
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle(title);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([width, height]);
  const bars = barsOf(code);
  const unit = (width - 2 * MARGIN) / bars.reduce((sum, bar) => sum + bar, 0);
  let [x, y] = [MARGIN, height - MARGIN - 60];
  for (const [index, bar] of bars.entries()) {
    if (index % 2 === 0) page.drawRectangle({ x, y, width: bar * unit, height: 60 });
    x += bar * unit;
  }
  // The standard fonts have Latin letters only; the others are printed as question marks.
  const known = new Set(font.getCharacterSet());
  const printable = (text: string) =>
    [...text.normalize('NFC')]
      .map((letter) => (known.has(letter.codePointAt(0) ?? 0) ? letter : '?'))
      .join('');
  for (const [text, size] of texts) {
    const widthOf = (part: string) => font.widthOfTextAtSize(part, size);
    for (const line of breakTextIntoLines(printable(text), [' '], width - 2 * MARGIN, widthOf)) {
      y -= size * 1.25;
      page.drawText(line, { x: MARGIN, y, size, font });
    }
  }
  return document.save();
}

/** The label of a bought shipment, 4 × 6 inches, which says that it is none. */
export function labelPdf(shipment: Shipment): Promise<Uint8Array> {
  const { selected_rate: rate, parcel, is_return, tracking_code, from_address, to_address } = shipment;
  const [from, to] = is_return ? [to_address, from_address] : [from_address, to_address];
  return printSheet('Label', [4 * 72, 6 * 72], tracking_code ?? '', [
    [tracking_code ?? '', 11],
    ['SANDBOX: no carrier knows this label', 8],
    [`${rate?.carrier ?? ''} ${rate?.service ?? ''}`, 15],
    [`${(parcel.weight / 16).toFixed(1)} LB${is_return ? '  RETURN' : ''}`, 9],
    ['LITHIUM ION BATTERIES IN EQUIPMENT (UN3481)', 8],
    ['FROM', 7],
    ...addressLines(from).map((line) => [line, 8] as const),
    ['SHIP TO', 7],
    ...addressLines(to).map((line) => [line, 12] as const),
  ]);
}

/** A ScanForm on a sheet of letter paper: a code, and the parcels that it stands for. */
export const scanFormPdf = ({ id, tracking_codes, address }: ScanForm): Promise<Uint8Array> =>
  printSheet('ScanForm', [8.5 * 72, 11 * 72], id, [
    ['SANDBOX: no carrier knows this sheet', 10],
    [`${tracking_codes.length} parcels`, 18],
    ...[...addressLines(address), ...tracking_codes].map((line) => [line, 10] as const),
  ]);
