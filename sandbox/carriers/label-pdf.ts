import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';
import type { Address, ScanForm, Shipment } from './shipments.ts';

const [WIDTH, HEIGHT, MARGIN] = [4 * 72, 6 * 72, 14];

/** The standard fonts have Latin letters only; the others are printed as question marks. */
function printable(font: PDFFont, text: string): string {
  const known = new Set(font.getCharacterSet());
  return [...text.normalize('NFC')]
    .map((letter) => (known.has(letter.codePointAt(0) ?? 0) ? letter : '?'))
    .join('');
}

/** Breaks a text into lines of a width. A word that is too long is broken, too. */
function linesOf(font: PDFFont, text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const letter of printable(font, text)) {
    if (font.widthOfTextAtSize(line + letter, size) > width) {
      const space = line.lastIndexOf(' ');
      lines.push(space > 0 ? line.slice(0, space) : line);
      line = space > 0 ? line.slice(space + 1) : '';
    }
    line += letter;
  }
  return line === '' ? lines : [...lines, line];
}

const addressLines = ({ name, company, street1, street2, city, state, zip, country }: Address): string[] =>
  [
    name ?? company ?? '',
    street1,
    street2 ?? '',
    [[city, state].filter(Boolean).join(', '), zip].filter(Boolean).join(' '),
    country === 'US' ? '' : country,
  ].filter((line) => line !== '');

/** Draws bars that stand for a code. No scanner reads them. */
function drawBars(page: PDFPage, code: string, { y, height }: { y: number; height: number }): void {
  const widths = [...code].flatMap((letter) => {
    const value = letter.codePointAt(0) ?? 0;
    return [1 + (value % 3), 1 + (value % 2), 1 + ((value >> 2) % 3), 1 + ((value >> 1) % 2)];
  });
  const unit = (WIDTH - 4 * MARGIN) / widths.reduce((sum, width) => sum + width, 0);
  let x = 2 * MARGIN;
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) page.drawRectangle({ x, y, width: width * unit, height });
    x += width * unit;
  }
}

/** The label of a bought shipment, 4 × 6 inches. It looks like one, and says that it is none. */
export async function labelPdf(shipment: Shipment): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle('Label');
  const [plain, bold] = await Promise.all([
    document.embedFont(StandardFonts.Helvetica),
    document.embedFont(StandardFonts.HelveticaBold),
  ]);
  const page = document.addPage([WIDTH, HEIGHT]);
  const rule = (y: number) =>
    page.drawLine({ start: { x: MARGIN, y }, end: { x: WIDTH - MARGIN, y }, thickness: 1 });
  const write = (
    texts: readonly string[],
    font: PDFFont,
    size: number,
    x: number,
    from: number,
    least: number,
  ) => {
    let y = from;
    for (const text of texts) {
      for (const line of linesOf(font, text, size, WIDTH - MARGIN - x)) {
        // What has no room is left out: an address must not cover the code below it.
        if (y < least) return;
        page.drawText(line, { x, y, size, font });
        y -= size * 1.25;
      }
    }
  };
  page.drawRectangle({
    x: MARGIN / 2,
    y: MARGIN / 2,
    width: WIDTH - MARGIN,
    height: HEIGHT - MARGIN,
    borderWidth: 1.5,
    borderColor: rgb(0, 0, 0),
  });
  const { selected_rate: rate, parcel, is_return, tracking_code } = shipment;
  const [from, to] = is_return
    ? [shipment.to_address, shipment.from_address]
    : [shipment.from_address, shipment.to_address];
  write([`${rate?.carrier ?? ''} ${rate?.service ?? ''}`], bold, 15, MARGIN, HEIGHT - 30, 0);
  write(
    [`${(parcel.weight / 16).toFixed(1)} LB${is_return ? '  RETURN' : ''}`],
    plain,
    9,
    MARGIN,
    HEIGHT - 45,
    0,
  );
  rule(HEIGHT - 52);
  write(addressLines(from), plain, 7.5, MARGIN, HEIGHT - 64, HEIGHT - 118);
  rule(HEIGHT - 124);
  write(['SHIP TO'], bold, 7, MARGIN, HEIGHT - 136, 0);
  write(addressLines(to), bold, 11, MARGIN + 14, HEIGHT - 152, 186);
  rule(176);
  write(['LITHIUM ION BATTERIES IN EQUIPMENT (UN3481)'], bold, 7, MARGIN, 164, 0);
  rule(156);
  drawBars(page, tracking_code ?? '', { y: 76, height: 66 });
  write([tracking_code ?? ''], bold, 11, MARGIN * 2, 58, 0);
  write(['SANDBOX: no carrier knows this label'], plain, 8, MARGIN * 2, 24, 0);
  return document.save();
}

/** A ScanForm on a sheet of letter paper: a code, and the parcels that it stands for. */
export async function scanFormPdf({ id, tracking_codes, address }: ScanForm): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle('ScanForm');
  const [plain, bold] = await Promise.all([
    document.embedFont(StandardFonts.Helvetica),
    document.embedFont(StandardFonts.HelveticaBold),
  ]);
  const page = document.addPage([8.5 * 72, 11 * 72]);
  page.drawText(`${tracking_codes.length} parcels`, { x: 72, y: 720, size: 18, font: bold });
  drawBars(page, id, { y: 640, height: 60 });
  const lines = ['SANDBOX: no carrier knows this sheet', ...addressLines(address), '', ...tracking_codes];
  for (const [index, line] of lines.entries()) {
    page.drawText(printable(plain, line), { x: 72, y: 610 - index * 12, size: 10, font: plain });
  }
  return document.save();
}
