import type { LabelPaper } from '#contract/sales/labels.ts';

// PDF counts in points, of which an inch has 72.
const LABEL = { width: 4 * 72, height: 6 * 72 };
const A4 = { width: 595.28, height: 841.89 };

/** Where two labels are on an A4 sheet: turned, one above the other, each in a half of the sheet that is cut in two. */
const places = [A4.height / 2, 0] as const;

/** Joins labels to one document. @param files a PDF each, of which each page is a label of 4 × 6 inches */
export async function joinLabels(files: readonly Uint8Array[], paper: LabelPaper): Promise<Uint8Array> {
  // Loaded when it is needed: it takes 18 MB of each process.
  const { degrees, PDFDocument } = await import('@cantoo/pdf-lib');
  const joined = await PDFDocument.create();
  joined.setProducer('');
  joined.setCreator('');
  const sources = await Promise.all(
    files.map((bytes) => PDFDocument.load(bytes, { ignoreEncryption: true })),
  );
  const pages = [];
  for (const source of sources) pages.push(...(await joined.embedPages(source.getPages())));
  if (paper === '4x6') {
    for (const label of pages) {
      joined.addPage([LABEL.width, LABEL.height]).drawPage(label, { x: 0, y: 0, ...LABEL });
    }
    return joined.save();
  }
  for (let at = 0; at < pages.length; at += places.length) {
    const sheet = joined.addPage([A4.width, A4.height]);
    for (const [index, label] of pages.slice(at, at + places.length).entries()) {
      // Turned by a quarter to the left: its lower left corner is then at the lower right of its place.
      sheet.drawPage(label, {
        x: (A4.width + LABEL.height) / 2,
        y: (places[index] ?? 0) + (A4.height / 2 - LABEL.width) / 2,
        ...LABEL,
        rotate: degrees(90),
      });
    }
  }
  return joined.save();
}
