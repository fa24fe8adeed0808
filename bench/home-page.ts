import { chromium } from '@playwright/test';
import { findChromium } from '#tests/harness/chromium.ts';

/** What a first visit transfers: requests, and compressed bytes without their headers, by kind. */
export interface Transfer {
  requests: number;
  bytes: Map<string, number>;
}

/** Loads a page in a real browser that has never been there. @throws when a part of the page fails to load */
export async function firstVisit(url: string): Promise<Transfer> {
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
