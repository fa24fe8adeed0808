import type { Locator, Page } from '@playwright/test';
import { createMeasurementCode } from '#contract/certification/inspections.ts';
import { answerAsSeller, complain } from '#contract/sales/complaints.ts';
import { handOver, readOrder } from '#contract/sales/orders.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { createReport, sendReport } from '#server/certification/inspections/testing/measure.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  createLaptop,
  createOwnLaptop,
  createSeller,
  createUser,
  newEmail,
  newName,
  newPersonName,
  password,
  plainPicture,
  shopOrigin,
  startSession,
  startSessionOf,
} from './actions.ts';
import { anyAmount, shown, typed } from './amounts.ts';
import { createSale, type JourneySale } from './sale.ts';

/**
 * The ten tasks of the shop, each done by keyboard alone, as it is followed in Chromium's accessibility tree: roles, names and
 * descriptions of what has the focus, and what the live regions announce. /pages/accessibility says what this shows, and what not.
 */

test.use({
  // A declined card, and an approval without a checklist.
  expectedConsoleErrors: /status of 4[02]2/,
});

/** Records in each document what screen readers announce without a move of the focus: additions to live regions, and alerts. */
async function recordAnnouncements(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const announcements: string[] = [];
    Object.assign(window, { announcements });
    const textOf = (node: Node) => node.textContent?.replace(/\s+/g, ' ').trim() ?? '';
    const observer = new MutationObserver((records) => {
      const said = new Set<string>();
      for (const { target, addedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest('[aria-live], [role=alert], [role=status], [role=log]') ?? null;
        // Alerts and states are read as a whole, other regions by what is added. Of new elements only alerts are read.
        if (region?.matches('[role=alert], [role=status]')) said.add(textOf(region));
        else if (region !== null) for (const node of addedNodes) said.add(textOf(node));
        if (region !== null && addedNodes.length === 0) said.add(textOf(region));
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          for (const alert of [node, ...node.querySelectorAll('*')])
            if (alert.matches('[role=alert]')) said.add(textOf(alert));
        }
      }
      announcements.push(...[...said].filter((text) => text !== ''));
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** Expects that this was announced since the last call for this page, and forgets it with all that came before. */
async function expectAnnounced(page: Page, text: string | RegExp): Promise<void> {
  const isMeant = (said: string) => (typeof text === 'string' ? said === text : text.test(said));
  const take = (count: number) =>
    page.evaluate((taken) => {
      const { announcements } = Object(window);
      if (!Array.isArray(announcements)) return [];
      const texts = announcements.map(String);
      announcements.splice(0, taken);
      return texts;
    }, count);
  await expect
    .poll(async () => {
      const announced = await take(0);
      const index = announced.findIndex(isMeant);
      await take(index + 1);
      return index < 0 ? announced.join('\n') : 'announced';
    }, `announces ${text}`)
    .toBe('announced');
}

/**
 * Describes what is wrong with the visibility of the focus: no outline of 2 pixels, or covered by something else. A message covers
 * it for a moment only.
 */
function findFocusFault(page: Page): Promise<string | null> {
  return page.evaluate(async () => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) return null;
    // They draw the focus of their parts themselves.
    if (activeElement.matches('iframe, input[type=datetime-local]')) return null;
    /** The element or the frame around it that shows the focus: of a file field and of a card's link. */
    const outlined = [
      getComputedStyle(activeElement),
      getComputedStyle(activeElement, '::after'),
      ...(activeElement.parentElement === null ? [] : [getComputedStyle(activeElement.parentElement)]),
    ].some(
      ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    );
    if (!outlined) return `no outline: ${activeElement.outerHTML}`;
    const isCovered = () => {
      const { left, top, width, height } = activeElement.getBoundingClientRect();
      return [0.1, 0.5, 0.9].every((x) =>
        [0.1, 0.5, 0.9].every((y) => {
          const hit = document.elementFromPoint(left + width * x, top + height * y);
          if (hit?.closest('[aria-label=Messages]')) return false;
          return hit === null || !(activeElement.contains(hit) || hit.contains(activeElement));
        }),
      );
    };
    if (!isCovered()) return null;
    // The navbar comes back in the next frame.
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    return isCovered() ? `covered: ${activeElement.outerHTML}` : null;
  });
}

/** Presses Tab until `target` has the focus, and expects at each stop that the focus can be seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  for (let stop = 0; stop < 120; stop += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
    expect(await findFocusFault(page), 'the focus cannot be seen').toBeNull();
  }
  throw new Error(`Tab does not lead to ${target}`);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function typeInto(page: Page, label: string | RegExp, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

/** Chooses a file with a field that Tab leads to. The dialog that Enter opens is the browser's. */
async function chooseFile(page: Page, field: Locator): Promise<void> {
  await tabTo(page, field);
  await field.setInputFiles(plainPicture.pathname);
}

/** Expects a page after a navigation: its title is announced, and its heading has the focus. */
async function expectArrival(page: Page, title: string, heading = title): Promise<void> {
  await expectAnnounced(page, `${title} · Coomercio`);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
}

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const waiting = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('link', { name });
const loginFields = (page: Page) => ({
  logIn: async (email: string) => {
    await typeInto(page, 'Email', email);
    await typeInto(page, 'Password', password);
    await page.keyboard.press('Enter');
  },
});

/** Hands the laptop of a sale over without pages. */
async function handOverTo({ buyerSession, sellerSession, orderId }: JourneySale): Promise<void> {
  const params = { _id: orderId };
  const { handoverCode: code = '' } = await buyerSession.client.call(readOrder, { params });
  await sellerSession.client.call(handOver, { params, body: { code } });
}

test('1. a visitor finds a laptop, registers, books it and pays', { tag: '@long' }, async ({ page }) => {
  test.slow();
  await recordAnnouncements(page);
  const name = await createOwnLaptop('Aspire 5', 'Acer');
  await page.goto('/');
  await tabTo(page, page.getByRole('link', { name: 'Skip to the page' }));
  const box = page.getByRole('main').locator('input[name=q]');
  await tabTo(page, box);
  await page.keyboard.type(name);
  await expect(box).toHaveRole('combobox');
  await expectAnnounced(page, /^\d+ suggestions?$/);
  await page.keyboard.press('Enter');
  await expectArrival(page, `Results for “${name}”`);
  const excellent = page.getByRole('checkbox', { name: 'Excellent 1 laptop', exact: true });
  await press(page, excellent, 'Space');
  await expect(page).toHaveURL(/condition=Excellent/);
  await expect(excellent).toBeFocused();
  await expectAnnounced(page, /^1 laptop.*Excellent/);
  await press(page, page.getByRole('link', { name: 'Remove Excellent' }));
  await expect(page).not.toHaveURL(/condition/);
  await press(page, page.getByRole('article').getByRole('link', { name, exact: true }));
  await expectArrival(page, name);

  await press(page, page.getByRole('link', { name: 'Book now' }));
  await expectArrival(page, 'Login', 'Login Now!');
  await press(page, page.getByRole('main').getByRole('link', { name: 'Register' }));
  await expectArrival(page, 'Register', 'Register Now!');
  await test.step('an error is announced, describes its field, and the first such field has the focus', async () => {
    await press(page, page.getByRole('button', { name: 'Register', exact: true }));
    await expectAnnounced(page, 'Name is required');
    const field = page.getByLabel('Name', { exact: true });
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription('Name is required');
  });
  await page.keyboard.type('Kim Keys');
  await loginFields(page).logIn(newEmail('kim'));
  await expectAnnounced(page, 'User created successfully');

  const dialog = page.getByRole('dialog', { name });
  await expect(page.getByLabel('Phone Number')).toBeFocused();
  await expect(dialog).toHaveAccessibleDescription(
    new RegExp(`^${shown(549.99).replace('$', '\\$')}.*Booking is free and does not reserve`),
  );
  await page.keyboard.press('Enter');
  await expectAnnounced(page, 'Phone Number is required');
  await page.keyboard.type('+351 900 000 000');
  await typeInto(page, 'Meeting Location', 'Central Station');
  await page.keyboard.press('Enter');
  await expectAnnounced(page, 'Booking Successful. Please check your dashboard for payment.');
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();

  await press(page, page.getByRole('link', { name: `Pay ${shown(549.99)} for ${name}` }));
  await expectArrival(page, 'Payment');
  await expect(page.getByRole('list', { name: 'Steps of your order' })).toMatchAriaSnapshot(`
    - list "Steps of your order":
      - listitem: 1 Booked (done)
      - listitem: 2 Pay
      - listitem: 3 Hand-over
  `);
  const frame = page.frameLocator('iframe[name^="__privateStripeFrame"]').first();
  for (const [field, text] of [
    ['cardnumber', '4000000000000002'],
    ['exp-date', '1234'],
    ['cvc', '123'],
    ['postal', '10001'],
  ]) {
    await tabTo(page, frame.locator(`[name=${field}]`));
    await page.keyboard.type(text ?? '');
  }
  const pay = page.getByRole('button', { name: 'Pay', exact: true });
  await press(page, pay);
  await expectAnnounced(page, 'Your card was declined.');
  await expect(pay).toBeFocused();
  await tabTo(page, frame.locator('[name=cardnumber]'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('4242424242424242');
  await press(page, pay);
  await expectAnnounced(page, 'Payment successful');
  await expect(page.getByRole('heading', { name: 'Congrats! Your payment completed' })).toBeFocused();
});

test('2. a visitor on a phone looks at a laptop, logs in and books it', { tag: '@long' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await recordAnnouncements(page);
  const email = newEmail('kim');
  const name = newName('Latitude');
  const id = await createLaptop(await createSeller(), { name });
  await createUser({ name: 'Kim Keys', email, role: 'Buyer' });
  await page.goto(`/laptop/${id}`);
  const enlarge = page.getByRole('button', { name: `Enlarge the photo of ${name}` });
  await press(page, enlarge);
  await expect(page.getByRole('dialog', { name })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(enlarge).toBeFocused();
  const condition = page.getByRole('article', { name }).getByRole('button', { name: 'Condition: Excellent' });
  await press(page, condition);
  await expect(page.getByText(/Signs of use are faint/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(condition).toBeFocused();
  await test.step('after the price comes Book now, and then what protects the buyer', async () => {
    await expect(page.getByRole('article', { name })).toMatchAriaSnapshot(`
      - article:
        - paragraph: /Lowest price of the last 30 days/
        - strong: ${shown(549.99)}
        - link "Book now"
        - link "Add to Wishlist"
        - link "Ask Sofia"
        - list "What protects you":
          - listitem: You pay the shop, not Sofia
          - listitem: You look before you give the code
          - listitem: /\\d+ days to complain after that/
        - link "How it works"
    `);
  });
  await press(page, page.getByRole('link', { name: 'Book now' }));
  await expectArrival(page, 'Login', 'Login Now!');
  await loginFields(page).logIn(email);
  await expectAnnounced(page, 'Welcome back Kim Keys');
  const dialog = page.getByRole('dialog', { name });
  await expect(page.getByLabel('Phone Number')).toBeFocused();
  await test.step('the dialog keeps the focus, and returns it to Book now', async () => {
    await tabTo(page, dialog.getByRole('button', { name: 'Close' }));
    await tabTo(page, page.getByLabel('Phone Number'));
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await press(page, page.getByRole('button', { name: 'Book now' }));
    await expect(page.getByLabel('Phone Number')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Book now' })).toBeFocused();
    await page.keyboard.press('Enter');
  });
  await typeInto(page, 'Phone Number', '+351 900 000 000');
  await typeInto(page, 'Meeting Location', 'Central Station');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused();
  await tabTo(page, page.getByRole('link', { name: new RegExp(`^Pay ${anyAmount}`) }));
  await test.step('backwards, the navbar covers nothing', async () => {
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press('Shift+Tab');
      expect(await findFocusFault(page)).toBeNull();
    }
  });
});

test('3. a visitor asks the seller, who hears of it on another page and answers', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  for (const page of [buyer, seller]) await recordAnnouncements(page);
  const session = await startSession(seller, {
    name: 'Marta Seller',
    email: newEmail('marta'),
    role: 'Seller',
  });
  const email = newEmail('bruno');
  await createUser({ name: 'Bruno Buyer', email, role: 'Buyer' });
  const name = newName('Latitude');
  await seller.goto('/dashboard/myProducts');
  await expect(seller.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await buyer.goto(`/laptop/${await createLaptop(session, { name })}`);
  await press(buyer, buyer.getByRole('link', { name: 'Ask Marta' }));
  await expectArrival(buyer, 'Login', 'Login Now!');
  await loginFields(buyer).logIn(email);
  await expectArrival(buyer, 'Messages', 'Marta Seller');
  const log = (page: Page) => page.getByRole('log');
  await expect(log(buyer)).toHaveAccessibleName('Messages with Marta Seller');
  await press(buyer, buyer.getByRole('button', { name: 'Is the charger included?' }));
  await expect(buyer.getByRole('textbox', { name: 'Message to Marta Seller' })).toBeFocused();
  await buyer.keyboard.press('Enter');
  await expectAnnounced(buyer, /^You wrote:\s*Is the charger included\?/);
  await test.step('what takes the place of the field is announced, and the focus stays in the conversation', async () => {
    await expectAnnounced(buyer, /^You have asked Marta Seller a question\. You can write again after/);
    await expect(buyer.getByRole('heading', { level: 1, name: 'Marta Seller' })).toBeFocused();
  });

  await expectAnnounced(seller, 'Notifications, 1 unseen');
  await press(seller, seller.getByRole('button', { name: 'Notifications, 1 unseen' }));
  await press(seller, seller.getByRole('link', { name: 'New messages' }));
  await expectArrival(seller, 'Messages');
  await press(seller, seller.getByRole('list', { name: 'Conversations' }).getByRole('link'));
  await expect(seller.getByRole('heading', { level: 1, name: 'Bruno Buyer' })).toBeFocused();
  await typeInto(seller, 'Message to Bruno Buyer', 'It is.');
  await seller.keyboard.press('Enter');
  await expectAnnounced(buyer, /^The other person wrote:\s*It is\./);
});

test('4. buyer and seller agree on a meeting', { tag: '@long' }, async ({ page: buyer, openVisitor }) => {
  const seller = await openVisitor();
  for (const page of [buyer, seller]) await recordAnnouncements(page);
  const sale = await createSale(seller, buyer);
  await buyer.goto(sale.path);
  await press(buyer, region(buyer, 'Meeting').getByRole('link', { name: 'Agree on a time' }));
  await expectArrival(buyer, 'Messages', 'Sofia Seller');
  await press(buyer, buyer.getByRole('button', { name: 'Propose a meeting' }));
  await expect(buyer.getByLabel('Place')).toBeFocused();
  await expect(buyer.getByLabel('Place')).toHaveValue('Central Station');
  await press(buyer, buyer.getByRole('button', { name: 'Propose', exact: true }));
  await expectAnnounced(buyer, 'Choose a day and a time');
  const time = buyer.getByLabel('Day and time');
  await expect(time).toBeFocused();
  const tomorrow = new Date(Date.now() + 86_400_000);
  const digits = [tomorrow.getUTCMonth() + 1, tomorrow.getUTCDate(), tomorrow.getUTCFullYear()]
    .map((part) => String(part).padStart(2, '0'))
    .join('');
  await buyer.keyboard.type(digits);
  await buyer.keyboard.press('Tab');
  await buyer.keyboard.type('0330PM');
  await press(buyer, buyer.getByRole('button', { name: 'Propose', exact: true }));
  await expectAnnounced(buyer, 'Your proposal is with Sofia Seller.');
  await expect(region(buyer, 'Meeting')).toBeFocused();

  await seller.goto('/dashboard');
  await press(seller, waiting(seller, `Answer Bruno, who proposes to meet about ${sale.name}`));
  await expectArrival(seller, 'Messages', 'Bruno Buyer');
  await press(seller, seller.getByRole('button', { name: 'Agree' }));
  await expectAnnounced(seller, 'The meeting is agreed on.');
  await expect(region(seller, 'Meeting')).toBeFocused();
  await expectAnnounced(buyer, /^You meet Sofia Seller: .*3:30 PM.*, Central Station$/);
});

test('5. the buyer shows the code, and the seller hands over', { tag: '@long' }, async ({
  page: buyer,
  openVisitor,
}) => {
  const seller = await openVisitor();
  for (const page of [buyer, seller]) await recordAnnouncements(page);
  const sale = await createSale(seller, buyer);
  await buyer.goto('/dashboard/myOrders');
  await press(buyer, buyer.getByRole('link', { name: `Show the code: ${sale.name}` }));
  await expectAnnounced(buyer, 'Order · Coomercio');
  await expect(buyer.getByRole('heading', { name: 'Your code for the hand-over' })).toBeFocused();
  await expect(buyer.getByRole('heading', { name: 'Your code for the hand-over' })).toBeInViewport();
  const code =
    ((await region(buyer, 'Your code for the hand-over').textContent()) ?? '').match(/\d{6}/)?.[0] ?? '';

  await seller.goto('/dashboard/myBuyers');
  await press(seller, seller.getByRole('link', { name: `Enter the code: ${sale.name}` }));
  await expect(seller.getByRole('heading', { name: 'Hand-over' })).toBeFocused();
  await typeInto(seller, 'The buyer’s code', '12');
  await seller.keyboard.press('Enter');
  await expectAnnounced(seller, 'Enter the six digits that the buyer shows you');
  await expect(seller.getByLabel('The buyer’s code')).toBeFocused();
  await seller.keyboard.press('ControlOrMeta+A');
  await seller.keyboard.type(code);
  await seller.keyboard.press('Enter');
  await expectAnnounced(seller, 'The code is right. The money of this sale is yours.');
  // The form is gone.
  await expect(seller.getByRole('heading', { level: 1, name: 'Order' })).toBeFocused();
  await expectAnnounced(buyer, /You can still complain/);
});

test('6. a buyer complains with a photo', { tag: '@long' }, async ({ page: buyer, openVisitor }) => {
  await recordAnnouncements(buyer);
  const sale = await createSale(await openVisitor(), buyer);
  await handOverTo(sale);
  await buyer.goto(sale.path);
  const form = region(buyer, 'Something is wrong?');
  await press(buyer, form.getByText('Complain', { exact: true }));
  await press(buyer, form.getByRole('button', { name: 'Send', exact: true }));
  await expectAnnounced(buyer, 'Choose one of these');
  await expect(form.getByRole('group', { name: 'What is wrong?' })).toHaveAccessibleDescription(
    'Choose one of these',
  );
  await expect(form.getByRole('radio', { name: 'It is not as described' })).toBeFocused();
  await buyer.keyboard.press('ArrowUp');
  const chosen = form.getByRole('radio', { name: 'It does not work' });
  await expect(chosen).toBeChecked();
  await expect(chosen).toHaveAccessibleDescription('It does not start, or a part of it fails.');
  await press(buyer, form.getByRole('button', { name: 'Send the complaint' }));
  await expectAnnounced(buyer, 'Describe what is wrong');
  const words = form.getByLabel('What is wrong', { exact: true });
  await expect(words).toBeFocused();
  await expect(words).toHaveAccessibleDescription('Describe what is wrong');
  await buyer.keyboard.type('The keyboard skips letters.');
  await chooseFile(buyer, form.getByLabel(/^Photos/));
  await expectAnnounced(buyer, '1 photo of 6 chosen.');
  await press(buyer, form.getByRole('button', { name: 'Send the complaint' }));
  await expectAnnounced(buyer, 'Your complaint is with the seller.');
  const heading = buyer.getByRole('heading', { name: 'Complaint: It does not work' });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
});

test('7. the seller gives the price back', { tag: '@long' }, async ({ page: seller, openVisitor }) => {
  const buyer = await openVisitor();
  for (const page of [buyer, seller]) await recordAnnouncements(page);
  const sale = await createSale(seller, buyer);
  await handOverTo(sale);
  await sale.buyerSession.client.call(complain, {
    params: { _id: sale.orderId },
    body: { kind: 'does_not_work', text: 'The keyboard skips letters.' },
  });
  await buyer.goto(sale.path);
  await expect(buyer.getByRole('heading', { name: /^Complaint: / })).toBeVisible();
  await seller.goto('/dashboard');
  await press(seller, waiting(seller, `Answer Bruno’s complaint about ${sale.name}`));
  await expectArrival(seller, 'Order');
  const complaint = region(seller, /^Complaint: /);
  const giveBack = complaint.getByRole('radio', { name: 'Give the whole price back' });
  await press(seller, giveBack, 'Space');
  await expect(giveBack).toHaveAccessibleDescription(/^The buyer returns the laptop to you/);
  const send = complaint.getByRole('button', { name: 'Give the price back' });
  await press(seller, send);
  const dialog = seller.getByRole('alertdialog', { name: 'Are you sure?' });
  await expect(dialog).toHaveAccessibleDescription(/^Give the whole price back\s*The buyer returns/);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await seller.keyboard.press('Escape');
  await expect(send).toBeFocused();
  await seller.keyboard.press('Enter');
  await press(seller, dialog.getByRole('button', { name: 'Yes, give it back' }));
  await expectAnnounced(seller, 'You agreed to give the price back.');
  const heading = seller.getByRole('heading', { name: 'Complaint: It does not work' });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await expectAnnounced(buyer, /You return it/);
});

test('8. an admin decides about a complaint', { tag: '@long' }, async ({ page: admin, openVisitor }) => {
  await recordAnnouncements(admin);
  const sale = await createSale(await openVisitor(), await openVisitor());
  await handOverTo(sale);
  const params = { _id: sale.orderId };
  const text = 'It has 8 GB of memory, not 16.';
  await sale.buyerSession.client.call(complain, { params, body: { kind: 'not_as_described', text } });
  await sale.sellerSession.client.call(answerAsSeller, {
    params,
    body: { move: 'contest', text: 'Both modules were in it.' },
  });
  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto('/dashboard/complaints');
  await press(admin, admin.getByRole('row').getByRole('link', { name: sale.name }));
  await expectArrival(admin, 'Order');
  const complaint = region(admin, /^Complaint: /);
  await expect(complaint.getByRole('list', { name: 'What both sides said' })).toMatchAriaSnapshot(`
    - list:
      - listitem:
        - paragraph:
          - strong: Bruno Buyer (buyer)
          - text: complained
        - paragraph: It has 8 GB of memory, not 16.
      - listitem:
        - paragraph:
          - strong: Sofia Seller (seller)
          - text: contradicted
        - paragraph: Both modules were in it.
  `);
  const part = complaint.getByRole('radio', { name: 'A part of the price goes back' });
  await tabTo(admin, complaint.getByRole('radio').first());
  await admin.keyboard.press('Space');
  while (!(await part.isChecked())) await admin.keyboard.press('ArrowDown');
  await tabTo(admin, complaint.getByRole('textbox', { name: 'Part of the price' }));
  await admin.keyboard.type(typed(60.5));
  await press(admin, complaint.getByRole('button', { name: 'Decide' }));
  await expectAnnounced(admin, 'Tell both why, in a sentence');
  await expect(complaint.getByLabel('Why')).toBeFocused();
  await admin.keyboard.type('One module is missing.');
  await press(admin, complaint.getByRole('button', { name: 'Decide' }));
  const dialog = admin.getByRole('alertdialog', { name: 'Are you sure?' });
  await expect(dialog).toHaveAccessibleDescription(
    new RegExp(`^A part of the price goes back: ${shown(60.5).replace('$', '\\$')}`),
  );
  await press(admin, dialog.getByRole('button', { name: 'Yes, decide it' }));
  await expectAnnounced(admin, 'A part of the price goes back. Both are told.');
  await expect(admin.getByRole('heading', { name: /^Complaint: / })).toBeFocused();
});

test('9. a visitor becomes a seller and lists a laptop', { tag: '@long' }, async ({ page }) => {
  await recordAnnouncements(page);
  const name = newName('EliteBook');
  await page.goto('/');
  await press(page, page.getByRole('main').getByRole('link', { name: 'Sell yours' }));
  await expectArrival(page, 'Register', 'Register Now!');
  await typeInto(page, 'Name', 'Sofia Seller');
  await loginFields(page).logIn(newEmail('sofia'));
  await expectAnnounced(page, 'User created successfully');
  await expectArrival(page, 'Add Product');
  await press(page, page.getByRole('button', { name: 'Add Product' }));
  await expectAnnounced(page, 'Product photo is required');
  const photo = page.getByLabel('Product Photo');
  await expect(photo).toBeFocused();
  await expect(photo).toHaveAccessibleDescription(/Product photo is required/);
  await chooseFile(page, photo);
  await expectAnnounced(page, '1 photo of 8 chosen.');
  for (const [label, text] of [
    ['Product Name', name],
    ['Original Price', typed(1299)],
    ['Resale Price', typed(549.99)],
    ['Use Time', '2 years'],
    ['Location', 'Lisbon'],
  ] as const) {
    await typeInto(page, label, text);
  }
  await typeInto(page, 'Mobile Number', '+351');
  await typeInto(page, 'Description', 'Clean keyboard, one small scratch on the lid.');
  await press(page, page.getByRole('button', { name: 'Add Product' }));
  await expectAnnounced(page, 'A phone number has at least 6 digits');
  await expect(page.getByLabel('Mobile Number')).toBeFocused();
  await page.keyboard.type(' 912 345 678');
  await press(page, page.getByRole('button', { name: 'Add Product' }));
  await expectAnnounced(page, `${name} is added successfully`);
  await expectArrival(page, 'My Products');
});

test('10. an admin approves a measured laptop from photos', { tag: '@long' }, async ({ page }) => {
  await recordAnnouncements(page);
  const seller = await createUser({ name: newPersonName('Sofia'), email: newEmail('sofia'), role: 'Seller' });
  const name = newName('ThinkPad T14');
  const laptopId = await createLaptop(seller, { name, showsSlip: true });
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  const machine = {
    ...thinkpad,
    '/proc/cpuinfo': 'model name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz\n',
  };
  await sendReport(shopOrigin(), createReport(machine, code));
  await startSessionOf(page, 'admin@coomercio.example');
  await page.goto('/dashboard/inspections');
  await press(page, page.getByRole('link', { name }));
  await expectArrival(page, 'Inspection');
  const fromPhotos = page.getByRole('radio', { name: 'From photos' });
  await press(page, fromPhotos, 'Space');
  await expect(fromPhotos).toHaveAccessibleDescription(/^You look at the seller’s photos/);
  await press(page, page.getByRole('button', { name: 'Approve' }));
  await expectAnnounced(page, 'An approval needs the photos, the marks and the price to be met');
  const items = page.getByRole('group', { name: 'Checklist' }).getByRole('combobox');
  await expect(items.first()).toBeFocused();
  await expect(items.first()).toHaveAttribute('aria-invalid', 'true');
  for (const item of await items.all()) {
    await tabTo(page, item);
    await page.keyboard.type('Met');
  }
  await press(page, page.getByRole('button', { name: 'Approve' }));
  await expectAnnounced(page, 'It is approved. Buyers now see it as inspected.');
  const heading = page.getByRole('heading', { name: 'Your decision' });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
});
