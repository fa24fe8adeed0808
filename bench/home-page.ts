import { chromium } from '@playwright/test';
import { findChromium } from '#tests/harness/chromium.ts';

/** The transfer of a first visit: requests, and compressed body bytes by resource type. */
export interface Transfer {
  requests: number;
  bytes: Map<string, number>;
}

/** Loads a page in a browser with an empty cache. */
export async function measureFirstVisit(url: string): Promise<Transfer> {
  const browser = await chromium.launch({ ...(await findChromium()), chromiumSandbox: false });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const kinds = new Map<string, string>();
    const bytes = new Map<string, number>();
    session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
    session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? 'Other';
      bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    return { requests: kinds.size, bytes };
  } finally {
    await browser.close();
  }
}
