import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { listAdvertisements } from '#contract/listings/catalogue.ts';
import { slugOf } from '#contract/listings/slug.ts';
import { startBootstrappedShop } from '#tests/harness/operations/bootstrapped-shop.ts';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { logLine } from './log-line.ts';
import { auditPage, type PageQuality } from './page-quality.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The pages that Lighthouse audits, beside the page of a laptop. */
const PAGES = ['/', '/blog', '/laptops'] as const;

/** The path of the page of the laptop that was advertised last. @throws Error if none is advertised */
async function laptopPath(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/advertisement?limit=1`);
  const [laptop] = listAdvertisements.answer.parse(await response.json());
  if (laptop === undefined) throw new Error('No laptop is advertised.');
  return `/laptop/${laptop._id}/${slugOf(laptop.name)}`;
}

/** Audits the public pages of a demo shop with Lighthouse. @returns the results by path */
export async function auditPages(cleanup: AsyncDisposableStack): Promise<Map<string, PageQuality>> {
  const folder = await temporaryFolder(cleanup);
  const secret = randomBytes(24).toString('hex');
  logLine('Starting a shop with demo data …');
  const options = { port: await freePorts(5), dataFolder: join(folder, 'data'), secret, demo: true };
  const shop = await startBootstrappedShop(options);
  cleanup.defer(shop.stop);
  const pages = new Map<string, PageQuality>();
  const paths = new Map<string, string>(PAGES.map((path) => [path, path]));
  paths.set('/laptop/…', await laptopPath(shop.origin));
  for (const [name, path] of paths) {
    logLine(`Auditing ${name} as a phone …`);
    const quality = await auditPage(`${shop.origin}${path}`);
    for (const title of quality.failedAudits) logLine(`  ${title}`);
    pages.set(name, quality);
  }
  await shop.stop();
  return pages;
}
