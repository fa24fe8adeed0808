import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import * as z from 'zod/mini';
import type { Checklist } from '#contract/certification/checklist.ts';
import { decideInspection, readInspection } from '#contract/certification/inspection-queue.ts';
import { type DeliveryOffer, listLaptop as listLaptopCall } from '#contract/listings/catalogue.ts';
import { readSettings } from '#contract/operations/settings.ts';
import { uploadPhoto } from '#demo/pictures.ts';
import { metFromPhotos } from '#server/certification/inspections/testing/checklist.ts';
import { type BrowserSession, openBrowserSession } from '#tests/harness/people/browser-session.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { amount, typed } from './amounts.ts';
import { findLayoutFaults, layouts } from './layout.ts';

export const password = 'Coomercio#2018';

let serial = 0;

/** Returns an email address that is not registered. */
export function newEmail(name: string): string {
  serial += 1;
  return `${name}.${process.pid}.${Date.now()}.${serial}@people.example`;
}

/** Returns a person's or laptop's name that no other test uses. */
export const newName = (start: string) => `${start} ${Date.now()}${test.info().parallelIndex}`;

/** A name for a person that no other test gives: names of people have few digits. */
export const newPersonName = (start: string) =>
  newName(start).replace(/\d/g, (digit) => 'bdfghjklmn'[Number(digit)] ?? '');

/** Expects a toast with exactly this message. */
export function expectToast(page: Page, message: string) {
  const toasts = page.getByRole('region', { name: 'Messages' });
  return test.step(`“${message}”`, () => expect(toasts.getByText(message, { exact: true })).toBeVisible());
}

/** The tag of a journey that `npm test` runs at one width or in one theme, and `npm run test:all` at each. */
export const longUnless = (isShort: boolean) => ({ tag: isShort ? [] : '@long' });

/** Waits until the open page has its heading, its data and its fonts. */
export async function expectLoaded(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true], [role=progressbar]')).toHaveCount(0);
  await page.evaluate(async () => void (await document.fonts.ready));
}

/** Checks that everything on the page fits in the window, at its current size. */
export async function expectNoOverflow(page: Page): Promise<void> {
  // The page follows a new size after the call.
  await expect.poll(() => findLayoutFaults(page), page.url()).toEqual([]);
}

/**
 * Checks that everything on the page fits, from phones to desks and with large text, and leaves the last width.
 * @param order the layouts one after the other
 */
export async function expectNoOverflowAtAnyWidth(page: Page, order = layouts): Promise<void> {
  for (const { width, text } of order) {
    // As the browser's setting does. All sizes of text are relative to it.
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', `${size}px`), text);
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(() => findLayoutFaults(page), `${page.url()}, ${width} px wide, text of ${text} px`)
      .toEqual([]);
  }
}

/** Expects text in the theme's red. */
export async function expectRed(words: Locator) {
  const red = await words.evaluate((element) => {
    const sample = element.appendChild(document.createElement('span'));
    sample.style.color = 'var(--danger)';
    const { color } = getComputedStyle(sample);
    sample.remove();
    return color;
  });
  await expect(words).toHaveCSS('color', red);
}

/** Records the API calls with a body that a page makes. @returns the body's fields by call, such as `POST /bookings` */
export function recordBodies(page: Page): ReadonlyMap<string, string[]> {
  const bodies = new Map<string, string[]>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/') || request.postData() === null) return;
    bodies.set(
      `${request.method()} ${pathname.slice('/api'.length)}`,
      Object.keys(Object(request.postDataJSON())).sort(),
    );
  });
  return bodies;
}

export interface NewUser {
  name: string;
  email: string;
  role: 'Buyer' | 'Seller';
}

export function shopOrigin(): string {
  const { baseURL } = test.info().project.use;
  if (baseURL === undefined) throw new Error('The shop has no address.');
  return baseURL;
}

/** Registers a user without the form. */
export function createUser(person: NewUser): Promise<BrowserSession> {
  return test.step(`registers ${person.email}`, () =>
    openBrowserSession(shopOrigin(), ({ register }) => register({ ...person, password })));
}

/** Registers a seller without the form. */
export const createSeller = () =>
  createUser({ name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });

/** The bell of a signed-in person. */
export const bell = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: /^Notifications(,|$)/ });

/** Registers a user without the form and signs in the browser of a page that has not been opened yet. */
export async function startSession(page: Page, person: NewUser): Promise<BrowserSession> {
  const session = await createUser(person);
  await test.step('signs the browser in', () => session.signIn(page.context()));
  return session;
}

/** Signs in the browser of a page that has not been opened yet, without the form. */
export function startSessionOf(page: Page, email: string): Promise<BrowserSession> {
  return test.step(`signs ${email} in`, async () => {
    const session = await openBrowserSession(shopOrigin(), ({ signIn }) => signIn(email, password));
    await session.signIn(page.context());
    return session;
  });
}

const Messages = z.array(z.object({ subject: z.string(), text: z.nullable(z.string()) }));
// The mail catcher's port is the third after the shop's.
const inbox = `http://127.0.0.1:${Number(process.env.JOURNEY_PORT) + 3}`;

/** Returns the path of the link in the latest email with this subject. */
export async function readEmailLink(email: string, subject: string): Promise<string> {
  const found: string[] = [];
  await expect
    .poll(async () => {
      const answer = await fetch(`${inbox}/messages.json?to=${encodeURIComponent(email)}`);
      const letter = Messages.parse(await answer.json()).find((message) => message.subject === subject);
      const [, path] = /https?:\/\/[^/\s]+(\/\S+)/.exec(letter?.text ?? '') ?? [];
      if (path !== undefined) found.push(path);
      return found.length;
    })
    .toBeGreaterThan(0);
  return found[0] ?? '';
}

/** Confirms the address of a user who has registered in this browser, with the link that the email has. */
export async function confirmAddress(page: Page, email: string): Promise<void> {
  await page.goto(await readEmailLink(email, 'Is this your email address?'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
}

/** A picture without contrast: the shop reports a photo that several sellers' listings show, but no plain one. */
export const plainPicture = new URL('./plain-photo.webp', import.meta.url);

/** The photo of all laptops that {@link createLaptop} lists, uploaded once per worker. */
let uploadedPhoto: Promise<string> | null = null;

async function uploadAnyPhoto({ client, token }: BrowserSession): Promise<string> {
  const { photos } = await client.call(readSettings, {});
  const photoKey = new URL(photos.uploadUrl, shopOrigin()).searchParams.get('key') ?? '';
  return uploadPhoto(plainPicture, {
    photosUrl: `${shopOrigin()}/photos`,
    photoKey,
    token: token() ?? '',
  });
}

interface CreatedLaptop {
  name: string;
  brand?: string;
  price?: number;
  /** Whether the seller meets the buyer, which is the default, or sends it. */
  delivery?: DeliveryOffer;
  /** The text of the field Battery. */
  battery?: string;
  /** Whether its photo is the one of the slip with the code. */
  showsSlip?: boolean;
}

/** Lists a laptop without the form. @returns its id */
export function createLaptop(seller: BrowserSession, laptop: CreatedLaptop): Promise<string> {
  return test.step(`lists ${laptop.name}`, async () => {
    uploadedPhoto ??= uploadAnyPhoto(seller);
    const image = await uploadedPhoto;
    const { insertedId } = await seller.client.call(listLaptopCall, {
      body: {
        ...sampleLaptop(shopOrigin()),
        name: laptop.name,
        category_Id: laptop.brand ?? 'HP',
        original_price: amount(1299),
        resale_price: amount(laptop.price ?? 549.99),
        delivery: laptop.delivery ?? 'meet',
        image,
        ...(laptop.battery !== undefined && {
          description: { Memory: '16 GB', Battery: laptop.battery },
        }),
        ...(laptop.showsSlip === true && { kinds: { [image]: 'slip' } }),
      },
    });
    return insertedId;
  });
}

/** Approves a measured laptop from photos, as an admin. @param answers to further items */
export async function approveFromPhotos(_id: string, answers: Partial<Checklist> = {}): Promise<void> {
  const { client: admin } = await openBrowserSession(shopOrigin(), ({ signIn }) =>
    signIn('admin@coomercio.example', password),
  );
  const { version, measurement } = await admin.call(readInspection, { params: { _id } });
  await admin.call(decideInspection, {
    params: { _id },
    body: {
      ...{ version, measurementId: measurement._id, kind: 'photos' },
      ...{ decision: 'approved', grade: 'Excellent', checklist: { ...metFromPhotos, ...answers } },
    },
  });
}

/** Lists a laptop of a new seller, which no other test changes. @returns its name */
export async function createOwnLaptop(start: string, brand = 'HP'): Promise<string> {
  const name = newName(start);
  await createLaptop(await createSeller(), { name, brand });
  return name;
}

/** Opens a list as soon as it has a laptop: the search reads changes a moment later. */
export async function openListWith(page: Page, path: string, name: string): Promise<void> {
  await expect(async () => {
    await page.goto(path);
    await expect(card(page, name)).toBeVisible({ timeout: 1000 });
  }).toPass();
}

/** Expects targets in a part of the page that a thumb hits: at least 44 pixels high, but for links in sentences. */
export async function expectLargeTargets(part: Locator): Promise<void> {
  for (const target of await part.locator('a:not(p a), summary, button').all()) {
    const box = await target.boundingBox();
    expect(box?.height, await target.textContent().then(String)).toBeGreaterThanOrEqual(44);
  }
}

/** Registers a user with the form and stays signed in. */
export async function register(page: Page, person: NewUser) {
  await page.goto('/register');
  await sendRegistration(page, person);
}

/** Fills in and sends the open form of the registration. */
export async function sendRegistration(page: Page, person: NewUser) {
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Register As').selectOption(person.role);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expectToast(page, 'User created successfully');
}

/** Signs a user in with the form that is open. */
export async function signIn(page: Page, email: string) {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
}

/** Fills the form for a new laptop. */
export async function fillLaptop(page: Page, laptop: { name: string; brand?: string; price?: number }) {
  await page.getByLabel('Product Name').fill(laptop.name);
  if (laptop.brand !== undefined) await page.getByLabel('Brand').selectOption(laptop.brand);
  await page.getByLabel('Original Price').fill(typed(1299));
  await page.getByLabel('Resale Price').fill(typed(laptop.price ?? 549.99));
  await page.getByLabel('Use Time').fill('2 years');
  await page.getByLabel('Location', { exact: true }).fill('Lisbon');
  await page.getByLabel('Mobile Number').fill('+351 912 345 678');
  await page.getByLabel('Description').fill('Clean keyboard, one small scratch on the lid.');
  await page.getByLabel('Processor').fill('AMD Ryzen 5 5625U');
  await page.getByLabel('Product Photo').setInputFiles(fileURLToPath(plainPicture));
}

/** Lists a laptop with the dashboard's form. */
export async function listLaptop(page: Page, laptop: { name: string; brand?: string; price?: number }) {
  await page.goto('/dashboard/addProduct');
  await fillLaptop(page, laptop);
  await page.getByRole('button', { name: /^Add/ }).click();
  await expectToast(page, `${laptop.name} is added successfully`);
}

/** Chooses an entry of a row's menu. */
export async function chooseInRow(row: Locator, entry: string) {
  await row.getByRole('button', { name: /^More actions for/ }).click();
  await row.page().getByRole('menuitem', { name: entry }).click();
}

/** Presses Delete in a row that has no other action. */
export const deleteInRow = (row: Locator, name: string) =>
  row.getByRole('button', { name: `Delete ${name}` }).click();

/** The large card of a laptop on a category page. */
export const card = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name });

/** Opens a laptop's page from its card. */
export async function openLaptop(page: Page, name: string) {
  await card(page, name).getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Books a laptop from its card. */
export async function bookLaptop(page: Page, name: string) {
  await card(page, name).getByRole('button', { name: 'Book now' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Phone Number').fill('+351 900 000 000');
  await dialog.getByLabel('Meeting Location').fill('Central Station, main hall');
  await dialog.getByRole('button', { name: 'Submit' }).click();
  await expectToast(page, 'Booking Successful. Please check your dashboard for payment.');
}

/** Opens the payment page of an unpaid order of the signed-in buyer. */
export async function openPayment(page: Page, name: string) {
  await page.goto('/dashboard/myOrders');
  await page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: 'Pay' }).click();
  await expect(page.getByRole('heading', { name: 'Payment' })).toBeVisible();
}

/** Types a card into the card processor's frame. */
export async function typeCard(page: Page, number: string) {
  const frame = page.frameLocator('iframe[name^="__privateStripeFrame"]').first();
  await frame.locator('[name=cardnumber]').fill('');
  await frame.locator('[name=cardnumber]').pressSequentially(number);
  await frame.locator('[name=exp-date]').pressSequentially('1234');
  await frame.locator('[name=cvc]').pressSequentially('123');
  await frame.locator('[name=postal]').pressSequentially('10001');
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay\b/ });

/** Runs the page's installed clock until one such element exists, in steps of so many milliseconds. */
export async function runClockUntilShown(page: Page, element: Locator, step = 1_000): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(step);
        return element.count();
      },
      { intervals: [10] },
    )
    .toBe(1);
}
