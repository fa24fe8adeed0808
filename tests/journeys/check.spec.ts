import type { Page } from '@playwright/test';
import { checkLabels, checkNames } from '#contract/certification/browser-checks.ts';
import { createMeasurementCode, readOwnMeasurement } from '#contract/certification/inspections.ts';
import { hexDump, sampleSmbios } from '#server/certification/inspections/testing/linux-tree.ts';
import type { BrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { findChromium } from '#tests/harness/platform/chromium.ts';
import { rowsOf } from '#web/pages/hardware-check/keyboard-layouts.ts';
import { createLaptop, createSeller, longUnless, newEmail, newName, startSession } from './actions.ts';
import { findAxeViolations } from './axe.ts';

const chromium = await findChromium();
test.use({
  launchOptions: {
    ...chromium,
    // A camera that shows a picture and a microphone that beeps, without a question for permission.
    args: [...chromium.args, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  },
  // A refused code, and a response that a test loses.
  expectedConsoleErrors: /status of 422|ERR_FAILED .*browserChecks/,
});

const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

async function newCode(seller: BrowserSession, laptopId: string): Promise<string> {
  return (await seller.client.call(createMeasurementCode, { params: { _id: laptopId } })).code;
}

/** Lists a laptop of a new seller. */
async function createLaptopWithCode() {
  const seller = await createSeller();
  const laptopId = await createLaptop(seller, { name: newName('ThinkPad T14') });
  const code = await newCode(seller, laptopId);
  const readCheck = async () =>
    (await seller.client.call(readOwnMeasurement, { params: { _id: laptopId } })).check;
  return { seller, laptopId, code, readCheck };
}

/** Opens the check with a code in the address, and starts it. */
async function startCheck(page: Page, code: string) {
  await page.goto(`/check#${code}`);
  await press(page, 'Start');
  await expect(step(page, 'Keyboard')).toBeFocused();
}

async function openTest(page: Page, name: keyof typeof checkLabels) {
  await page
    .getByRole('navigation', { name: 'Tests' })
    .getByRole('button', { name: checkLabels[name] })
    .click();
  await expect(step(page, checkLabels[name])).toBeFocused();
}

async function pressAllKeys(page: Page) {
  const area = page.getByRole('application', { name: 'Keyboard to test' });
  await area.focus();
  for (const { code } of rowsOf('ansi', false).flat()) {
    await area.dispatchEvent('keydown', { code, key: code, bubbles: true, cancelable: true });
  }
}

async function useTouchpad(page: Page) {
  const area = page.getByText('Corners, click, right click, scroll').locator('..');
  await area.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0, height = 0 } = (await area.boundingBox()) ?? {};
  for (const [column, row] of [
    [0.1, 0.1],
    [0.9, 0.1],
    [0.1, 0.9],
    [0.9, 0.9],
    [0.5, 0.5],
  ] as const) {
    await page.mouse.move(x + width * column, y + height * row);
  }
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.mouse.click(x + width / 2, y + height / 2, { button: 'right' });
  await page.mouse.wheel(0, 100);
}

test('a seller checks a laptop in its browser, and sees the results on the page that gave the code', {
  tag: '@long',
}, async ({ page, openVisitor }) => {
  test.slow();
  const session = await startSession(page, {
    name: 'Sofia Seller',
    email: newEmail('sofia'),
    role: 'Seller',
  });
  const name = newName('ThinkPad T14');
  const laptopId = await createLaptop(session, { name });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/dashboard/measure/${laptopId}`);
  await press(page, 'Get a code');
  const link = await page.getByRole('link', { name: 'open the tests' }).getAttribute('href');

  // Another browser, which is not signed in.
  const laptop = await openVisitor();
  // As much memory as the laptop reports below, whatever machine runs the test.
  await laptop.addInitScript(() => Object.defineProperty(navigator, 'deviceMemory', { value: 16 }));
  await laptop.goto(link ?? '');
  await press(laptop, 'Start');
  await expect(laptop.getByText(`You are checking “${name}”`)).toBeVisible();
  await expect.poll(() => new URL(laptop.url()).hash).toBe('');

  await expect(laptop.getByRole('button', { name: 'All keys work' })).toBeDisabled();
  await pressAllKeys(laptop);
  await press(laptop, 'All keys work');

  await expect(step(laptop, 'Touchpad')).toBeFocused();
  await useTouchpad(laptop);
  await press(laptop, 'The touchpad works');

  await press(laptop, 'Show the colours');
  for (let shown = 0; shown < 5; shown += 1) await laptop.getByRole('dialog').getByRole('button').click();
  await laptop.getByLabel('Note').fill('One, at the top');
  await press(laptop, 'I see spots');

  await press(laptop, 'Turn the camera on');
  await expect(laptop.getByText('The camera is on.')).toBeVisible();
  await press(laptop, 'The picture is good');

  await press(laptop, 'Record two seconds');
  await expect(laptop.getByText(/^The loudest moment had [0-9]+ %/)).toBeVisible({ timeout: 30_000 });
  await press(laptop, 'I heard the recording');

  await expect(laptop.getByText('The browser reports no touch screen')).toBeVisible();
  await press(laptop, 'Continue');

  // Whether a loaded machine draws evenly is not what is tested here.
  await press(laptop, 'Skip this test');

  await press(laptop, 'Draw');
  await expect(laptop.getByText('The graphics drew the four colours correctly.')).toBeVisible();
  await press(laptop, 'The picture is right');

  await expect(step(laptop, 'Results')).toBeFocused();
  await expect(laptop.getByText('5 passed, 1 failed, 2 skipped')).toBeVisible();
  await press(laptop, 'Send the results');
  await expect(step(laptop, 'The results were sent')).toBeFocused();

  const tested = page.getByRole('region', { name: 'What was tested' });
  await expect(tested).toContainText('5 passed, 1 failed, 2 skipped');
  await expect(tested.getByRole('listitem').filter({ hasText: 'Dead pixels' })).toContainText(
    'FailedOne, at the top',
  );
  await expect(tested.getByRole('listitem').filter({ hasText: 'Touch screen' })).toContainText(
    'SkippedNo touch screen',
  );

  // The same code still takes the script's report, beside which buyers see the tests.
  const code = link?.split('#')[1];
  const report = await laptop.request.post('/measurements', {
    headers: { 'content-type': 'text/plain' },
    // The processor and the memory of the sample listing.
    data: `laptop-report 1
code ${code}
system linux
== cpuinfo
\tmodel name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz
== smbios
\t${hexDump(sampleSmbios([16_384]))}
== end
`,
  });
  expect(report.status()).toBe(200);
  await laptop.goto(`/laptop/${laptopId}`);
  await expect(laptop.getByText(/^5 passed, 1 failed, 2 skipped, made by the seller on/)).toBeVisible();
  await expect(laptop.getByRole('region', { name: 'Tests in its browser' })).toContainText(
    'Dead pixelsFailedOne, at the top',
  );
});

test('by keyboard alone at 390 px: the keyboard’s test can be left, each test can be skipped', async ({
  page,
}) => {
  const { code, readCheck } = await createLaptopWithCode();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/check');
  const tabTo = async (name: string) => {
    const target = page.getByRole('button', { name, exact: true });
    for (let presses = 0; presses < 40; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach “${name}”.`);
  };
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type(code.toLowerCase());
  await page.keyboard.press('Enter');

  await expect(step(page, 'Keyboard')).toBeFocused();
  const area = page.getByRole('application', { name: 'Keyboard to test' });
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Tab');
  await expect(area).toBeFocused();
  await page.keyboard.press('a');
  await page.keyboard.press('Tab');
  await expect(area).toBeFocused();
  await expect(page.getByText(/^Tab\. 2 of 7/)).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(area).not.toBeFocused();
  await tabTo('Some keys do not work');
  await page.keyboard.press('Enter');

  for (const name of checkNames.slice(1)) {
    await expect(step(page, checkLabels[name])).toBeFocused();
    await tabTo(name === 'touch' ? 'Continue' : 'Skip this test');
    await page.keyboard.press('Enter');
  }
  await expect(page.getByText('0 passed, 1 failed, 7 skipped')).toBeVisible();
  await tabTo('Send the results');
  await page.keyboard.press('Enter');
  await expect(step(page, 'The results were sent')).toBeFocused();
  const { results = [] } = (await readCheck()) ?? {};
  expect(results[0]?.note).toMatch(/^No response: Esc F1 .* and [0-9]+ more$/);
  expect(results.filter(({ outcome }) => outcome === 'passed')).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `each step has no barriers that axe finds, and fits 390 px, in the ${colorScheme} theme`,
    longUnless(colorScheme === 'light'),
    async ({ page }) => {
      test.slow();
      const { code } = await createLaptopWithCode();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 390, height: 844 });
      const expectAccessible = async (place: string) => {
        expect(await findAxeViolations(page), place).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBe(390);
      };
      await page.goto(`/check#${code}`);
      await expectAccessible('code');
      await press(page, 'Start');
      await expectAccessible(checkNames[0]);
      for (const name of checkNames.slice(1)) {
        await openTest(page, name);
        await expectAccessible(name);
      }
      await press(page, 'Skip the rest');
      await expectAccessible('summary');
      await press(page, 'Send the results');
      await expect(step(page, 'The results were sent')).toBeVisible();
      await expectAccessible('sent');
    },
  );
}

test('a refused camera and a missing microphone are said in words, and the tests can be repeated or skipped', {
  tag: '@long',
}, async ({ page }) => {
  const { code } = await createLaptopWithCode();
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = ({ video } = {}) =>
      Promise.reject(new DOMException('no', video ? 'NotAllowedError' : 'NotFoundError'));
  });
  await startCheck(page, code);
  await openTest(page, 'camera');
  await press(page, 'Turn the camera on');
  await expect(page.getByText('was not allowed to use the camera')).toBeVisible();
  await expect(page.getByRole('button', { name: 'The picture is good' })).toBeDisabled();
  await press(page, 'Try again');
  await press(page, 'Skip this test');
  await expect(step(page, 'Microphone and speakers')).toBeVisible();
  await press(page, 'Record two seconds');
  await expect(page.getByText('The browser found no microphone')).toBeVisible();
  await press(page, 'I did not hear it');
  const list = page.getByRole('navigation', { name: 'Tests' });
  await expect(list.getByRole('button', { name: 'Camera' })).toContainText('Skipped');
  await expect(list.getByRole('button', { name: 'Microphone' })).toContainText('Failed');
});

test('the camera is turned off when its test ends', async ({ page }) => {
  const { code } = await createLaptopWithCode();
  await startCheck(page, code);
  await openTest(page, 'camera');
  await page.evaluate(() => {
    const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await original(constraints);
      Reflect.set(window, 'cameraStream', stream);
      return stream;
    };
  });
  await press(page, 'Turn the camera on');
  await press(page, 'The picture is good');
  await expect(step(page, 'Microphone and speakers')).toBeVisible();
  expect(
    await page.evaluate(() => {
      const stream: unknown = Reflect.get(window, 'cameraStream');
      return stream instanceof MediaStream && stream.getTracks().map(({ readyState }) => readyState);
    }),
  ).toEqual(['ended']);
});

test('results outlive a reload, a lost response and a code that has expired', { tag: '@long' }, async ({
  page,
}) => {
  const { seller, laptopId, code, readCheck } = await createLaptopWithCode();
  await startCheck(page, code);
  const hostile = '<img src=x onerror=alert(1)>\u202Eגב {{1}} \'"; --';
  await page.getByLabel('Note').fill(hostile);
  await press(page, 'Some keys do not work');
  await page.reload();
  await expect(step(page, 'Touchpad')).toBeVisible();
  await press(page, 'Skip the rest');
  await expect(page.getByText('<img src=x onerror=alert(1)>')).toBeVisible();

  // A new code on the seller's page ends this one.
  const second = await newCode(seller, laptopId);
  await press(page, 'Send the results');
  await expect(page.getByRole('alert')).toContainText('they are still on the page');
  await press(page, 'Enter another code');
  await page.getByLabel('Code', { exact: true }).fill('0000-0000-0000');
  await press(page, 'Start');
  await expect(page.getByText('This code is not known, was used for a check already')).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill(second);
  await press(page, 'Start');
  await expect(step(page, 'Results')).toBeVisible();

  // The shop has the results, but its response is lost.
  await page.route('**/api/browserChecks', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await press(page, 'Send the results');
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible({ timeout: 60_000 });
  await page.unroute('**/api/browserChecks');
  await press(page, 'Send again');
  await expect(step(page, 'The results were sent')).toBeVisible();
  const check = await readCheck();
  expect(check?.results[0]?.note).toContain('<img src=x onerror=alert(1)>');
});

test('only the check page may use camera and microphone, and no search engine lists it', async ({
  request,
}) => {
  const policyOf = async (path: string) => (await request.get(path)).headers()['permissions-policy'];
  expect(await policyOf('/check')).toBe('camera=(self), geolocation=(), microphone=(self)');
  for (const path of ['/', '/laptops', '/login', '/dashboard/myProducts', '/nowhere']) {
    expect(await policyOf(path), path).toBe('camera=(), geolocation=(), microphone=()');
  }
  const html = await (await request.get('/check')).text();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
});
