import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from '#tests/harness/platform/browser.ts';
import { password } from './actions.ts';

/** Computes the TOTP code of a key in base 32 (RFC 6238). @param periods number of 30-second periods from now */
export function totpCode(key: string, periods = 0): string {
  const bits = Array.from(key.replaceAll(' ', ''), (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + periods));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(19) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/** Fills the dialog that asks for the password again. */
export async function confirmPassword(page: Page, word = password) {
  await page.getByLabel('Your Password').fill(word);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
}

/** Sets up an authenticator app on the open account page. @returns its key and the recovery codes */
export async function setUpAuthenticator(
  page: Page,
  word = password,
): Promise<{ key: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
  await confirmPassword(page, word);
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const key = (await page.locator('code').textContent()) ?? '';
  await page.getByRole('textbox', { name: 'Code' }).fill(totpCode(key));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  const listed = page.getByRole('alertdialog').getByRole('listitem');
  await expect(listed).toHaveCount(10);
  const codes = await listed.allTextContents();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  return { key, codes };
}
