import type { CallName } from '#contract/calls.ts';
import * as browserChecks from '#contract/certification/browser-checks.ts';
import * as certificates from '#contract/certification/certificates.ts';
import * as inspectionQueue from '#contract/certification/inspection-queue.ts';
import * as inspections from '#contract/certification/inspections.ts';
import * as laptopDrafts from '#contract/certification/laptop-drafts.ts';
import * as sameLaptop from '#contract/certification/same-laptop.ts';
import * as brands from '#contract/listings/brands.ts';
import * as catalogue from '#contract/listings/catalogue.ts';
import * as reports from '#contract/listings/reports.ts';
import * as savedSearches from '#contract/listings/saved-searches.ts';
import * as search from '#contract/listings/search.ts';
import * as sitemaps from '#contract/listings/sitemaps.ts';
import * as subscriptions from '#contract/listings/subscriptions.ts';
import * as wishlist from '#contract/listings/wishlist.ts';
import * as accounting from '#contract/money/accounting.ts';
import * as payouts from '#contract/money/payouts.ts';
import * as settlements from '#contract/money/settlements.ts';
import * as content from '#contract/operations/content.ts';
import * as firstSteps from '#contract/operations/first-steps.ts';
import { readHealth } from '#contract/operations/health.ts';
import * as privacy from '#contract/operations/privacy.ts';
import * as settings from '#contract/operations/settings.ts';
import { readSettings } from '#contract/operations/settings.ts';
import * as staff from '#contract/operations/staff.ts';
import { listToDo } from '#contract/operations/to-do.ts';
import * as people from '#contract/operations/user-admin.ts';
import * as accounts from '#contract/people/accounts.ts';
import * as audit from '#contract/people/audit.ts';
import * as notifications from '#contract/people/notifications.ts';
import * as phoneChecks from '#contract/people/phone-checks.ts';
import { recordSellerCheck, takeBadgeBack } from '#contract/people/seller-checks.ts';
import { type Client, Problem } from '#contract/platform/client.ts';
import * as bookings from '#contract/sales/bookings.ts';
import * as complaints from '#contract/sales/complaints.ts';
import * as labels from '#contract/sales/labels.ts';
import * as meetings from '#contract/sales/meetings.ts';
import * as messageReports from '#contract/sales/message-reports.ts';
import * as messages from '#contract/sales/messages.ts';
import * as orders from '#contract/sales/orders.ts';
import * as payments from '#contract/sales/payments.ts';
import * as reviewReports from '#contract/sales/review-reports.ts';
import * as reviews from '#contract/sales/reviews.ts';
import * as sellerPages from '#contract/sales/seller-pages.ts';
import * as shipping from '#contract/sales/shipping.ts';
import { readShopFigures } from '#contract/sales/shop-figures.ts';
import { metFromPhotos } from '#server/certification/inspections/testing/checklist.ts';
import { sampleCheck } from '#server/certification/inspections/testing/sample-check.ts';
import { createUnsubscribeLinks } from '#server/people/unsubscribe-links.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type TestShop, unsubscribeKey } from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';
import { sampleSender } from '#tests/harness/sales/carriers.ts';
import { sampleAddress } from '#tests/harness/sales/sold-laptop.ts';
import { heavy, idOf, medium, ROWS } from './filled-database.ts';

/** Functions that send the requests of each call, by the call's name. */
export type ApiCalls = Readonly<Record<CallName, () => Promise<unknown>>>;

/** Keys of the right lengths. Nothing is encrypted for them. */
const pushKeys = { p256dh: 'B'.padEnd(87, 'A'), auth: 'A'.repeat(22) };

/** A cursor in the middle of every list. */
const MIDDLE_CURSOR = String(ROWS / 2);

/** Expects a refusal with a code. */
async function expectRefusal(code: string, call: Promise<unknown>): Promise<void> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (!(outcome instanceof Problem) || outcome.code !== code) {
    throw new Error(`The call was not refused with ${code}.`, { cause: outcome });
  }
}

/**
 * Prepares every call of the contract on a filled shop, for accounts with few and with many rows, and for first and
 * later pages.
 * @param run a number from 1 that selects accounts, laptops and bookings which no other run uses
 */
export async function createApiCalls(shop: TestShop, run: number): Promise<ApiCalls> {
  const { pool } = shop.connection;
  const email = (user: number) => `person${user}@people.example`;
  const signIn = async (user: number): Promise<Client> => {
    const proven = shop.client(await shop.issuer.idToken(email(user), {}));
    const { coomercioToken } = await proven.call(accounts.exchangeToken, { query: { email: email(user) } });
    return shop.client(coomercioToken);
  };
  /** Finds the id of a row that meets a condition. */
  const find = async (table: string, condition: string): Promise<string> => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from ${table} where ${condition} order by md5(id::text) limit 1 offset ${run}`,
    );
    return rows[0]?.id ?? '';
  };
  const voidedLabel = await find('labels', `state = 'voided'`);
  const availableFor = async (seller: number) =>
    find('laptops', `state = 'available' and seller_id = ${idOf('users', String(seller))}`);

  // Sellers with few laptops have 60, 100, 140 … as numbers; accounts whose number ends in 7 have ended; 1 is an admin.
  const [sellerNumber, buyerNumber] = [run * 40 + 20, run * 40 + 22];
  const heavySeller = await signIn(heavy.seller);
  const heavyBuyer = await signIn(heavy.buyer);
  const mediumSeller = await signIn(medium.seller);
  const mediumBuyer = await signIn(medium.buyer);
  const seller = await signIn(sellerNumber);
  const buyer = await signIn(buyerNumber);
  const admin = await signIn(1);
  const { visitor } = shop;
  // As the task that stores the sums of the ledger does.
  await pool.query(
    'update ledger_totals_until set entry_number = (select coalesce(max(number), 0) from ledger_entries)',
  );
  const { rows: receipts } = await pool.query<{ receipt_number: string }>(
    `select receipt_number from receipts where sequence = $1`,
    [run],
  );
  const receipt = receipts[0]?.receipt_number ?? '';
  const difference = await find('ledger_differences', 'resolved_at is null');
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  const yesterday = {
    from: dayOf(new Date(Date.now() - 86_400_000)),
    until: dayOf(new Date(Date.now() - 86_400_000)),
  };
  const noDay = { from: '2000-01-01', until: '2000-01-01' };

  const free = await availableFor(heavy.seller);
  const own = await availableFor(sellerNumber);
  const measured = await find('laptops', `state = 'available' and level = 'measured' and number % 2 = 1`);
  const wished = await find('wishlist_items', `buyer_id = ${idOf('users', String(heavy.buyer))}`);
  const notified = await find('notifications', `user_id = ${idOf('users', String(medium.buyer))}`);
  const booked = await find('bookings', `buyer_id = ${idOf('users', String(heavy.buyer))}`);
  const [toDismiss, toTakeDown] = [
    await find('laptops', `number % 3 = 0 and state = 'available' and number < 50000`),
    await find('laptops', `number % 3 = 0 and state = 'available' and number > 50000`),
  ];

  const recordIdentity = async () => {
    const { name } = await seller.call(accounts.readOwnName, {});
    const body = {
      document: 'identity',
      kind: 'Passport',
      seen: 'In person',
      day: yesterday.from,
      name,
    } as const;
    await admin.call(recordSellerCheck, { params: { email: email(sellerNumber) }, body });
  };
  /** Asks for another name of the seller, which waits. @returns its id */
  const askForName = async (name: string) => {
    await recordIdentity();
    await seller.call(accounts.renameUser, { body: { name: `${name} ${run}` } });
    const { rows } = await pool.query<{ id: string }>(
      `select id from waiting_names where user_id = ${idOf('users', String(sellerNumber))}`,
    );
    return rows[0]?.id ?? '';
  };

  /** Reads the first and second page of a list, and a page of 100. */
  const pages = async (
    list: (query: { limit: number; cursor?: string }) => Promise<{ next: string | null }>,
  ) => {
    const { next } = await list({ limit: 24 });
    if (next !== null) await list({ limit: 24, cursor: next });
    await list({ limit: 100 });
  };
  const readUserPages = (endpoint: typeof people.listBuyers | typeof people.listSellers) => async () => {
    for (const sort of ['newest', 'name', 'email'] as const) {
      await pages((query) => admin.page(endpoint, { query: { ...query, sort } }));
      await pages((query) => admin.page(endpoint, { query: { ...query, sort, search: 'person4242' } }));
    }
    await pages((query) => admin.page(endpoint, { query: { ...query, search: 'zz' } }));
    const common = admin.call(endpoint, { query: { search: 'people.example' } });
    await expectRefusal('invalid_input', common);
  };
  let bookingId = '';
  let invitationId = '';
  const noInvitation = { token: 'a'.repeat(43) };
  let postId = '';
  const brandId = async () =>
    (await admin.call(brands.listShopBrands, {})).find(({ category_Id }) => category_Id === `Vaio ${run}`)
      ?._id ?? '';
  let wishId = '';
  let savedSearchId = '';
  let pushSubscriptionId = '';
  let draftId = '';
  let conversationId = '';
  let meetingId = '';
  const longConversation = await idOfRow('conversations', 3);

  return {
    readSettings: () => visitor.call(readSettings, {}),
    listBrands: () => visitor.call(catalogue.listBrands, {}),
    listCategory: async () => {
      for (const id of ['HP', 'Acer', 'Lenovo']) {
        const list = (query: { limit: number; cursor?: string }) =>
          visitor.page(catalogue.listCategory, { params: { id }, query });
        // A connection makes custom plans for the first five executions and may use a generic plan afterwards.
        for (let time = 0; time < 7; time += 1) await list({ limit: 24, cursor: String(ROWS - time) });
        await list({ limit: 24, cursor: MIDDLE_CURSOR });
        await pages(list);
      }
      const unknown = visitor.call(catalogue.listCategory, { params: { id: 'Nope' }, query: {} });
      await expectRefusal('not_found', unknown);
    },
    listAdvertisements: async () => {
      await pages((query) => visitor.page(catalogue.listAdvertisements, { query }));
      await visitor.call(catalogue.listAdvertisements, { query: { cursor: MIDDLE_CURSOR } });
    },
    searchLaptops: async () => {
      await visitor.call(search.searchLaptops, { query: {} });
      await visitor.call(search.searchLaptops, { query: { brand: 'HP', sort: 'price', limit: 100 } });
    },
    listSimilar: () => visitor.call(search.listSimilar, { params: { _id: free } }),
    suggestSearches: () => visitor.call(search.suggestSearches, { query: { q: 'lapt' } }),
    saveSearch: async () => {
      const body = { name: 'Mine', filters: { brand: 'HP', q: 'elite' }, frequency: 'daily' } as const;
      ({ insertedId: savedSearchId } = await buyer.call(savedSearches.saveSearch, { body }));
    },
    listSavedSearches: () => heavyBuyer.call(savedSearches.listSavedSearches, {}),
    changeSavedSearch: () =>
      buyer.call(savedSearches.changeSavedSearch, {
        params: { _id: savedSearchId },
        body: { frequency: 'at once', paused: true },
      }),
    readSubscription: () => {
      const url = createUnsubscribeLinks('', [unsubscribeKey]).urlOfSearch(savedSearchId);
      const token = url.split('/').at(-1) ?? '';
      return visitor.call(subscriptions.readSubscription, { params: { token } });
    },
    listNotifications: async () => {
      await heavyBuyer.page(notifications.listNotifications, { query: {} });
      await heavyBuyer.page(notifications.listNotifications, { query: { cursor: MIDDLE_CURSOR } });
    },
    countUnseenNotifications: () => heavyBuyer.call(notifications.countUnseenNotifications, {}),
    markNotificationSeen: () =>
      mediumBuyer.call(notifications.markNotificationSeen, { params: { _id: notified } }),
    markNotificationsSeen: () =>
      mediumBuyer.call(notifications.markNotificationsSeen, { params: { _id: notified } }),
    markPageSeen: () => heavyBuyer.call(notifications.markPageSeen, { body: { path: '/dashboard/page999' } }),
    readNotificationSettings: () => heavyBuyer.call(notifications.readNotificationSettings, {}),
    chooseDelivery: () =>
      buyer.call(notifications.chooseDelivery, {
        params: { topic: 'bookings' },
        body: { delivery: 'off' },
      }),
    subscribeToPush: async () => {
      const body = { endpoint: 'https://fcm.googleapis.com/fcm/send/mine', keys: pushKeys };
      ({ insertedId: pushSubscriptionId } = await buyer.call(notifications.subscribeToPush, { body }));
    },
    unsubscribeFromPush: () =>
      buyer.call(notifications.unsubscribeFromPush, { params: { _id: pushSubscriptionId } }),
    deleteSavedSearch: () => buyer.call(savedSearches.deleteSavedSearch, { params: { _id: savedSearchId } }),
    listSitemaps: () => visitor.call(sitemaps.listSitemaps, {}),
    listSellerSitemaps: () => visitor.call(sitemaps.listSellerSitemaps, {}),
    readSellerSitemap: async () => {
      const params = { number: 1 };
      await visitor.page(sitemaps.readSellerSitemap, { params, query: {} });
      await visitor.page(sitemaps.readSellerSitemap, { params, query: { cursor: '25000' } });
    },
    readSitemap: async () => {
      for (let number = 1; number <= 2; number += 1) {
        const sitemap = (query: { cursor?: string }) =>
          visitor.page(sitemaps.readSitemap, { params: { number }, query });
        await sitemap({});
        await sitemap({ cursor: MIDDLE_CURSOR });
      }
    },
    readLaptop: () => visitor.call(catalogue.readLaptop, { params: { _id: free } }),
    readViewerStatus: () => buyer.call(catalogue.readViewerStatus, { params: { _id: free } }),
    readCertificate: () => visitor.call(certificates.readCertificate, { params: { _id: own } }),
    listCertificateVersions: () =>
      visitor.call(certificates.listCertificateVersions, { params: { _id: own } }),
    readCertificateStatus: () => visitor.call(certificates.readCertificateStatus, { params: { _id: own } }),
    readCertificateKeys: () => visitor.call(certificates.readCertificateKeys, {}),
    readMeasurement: () => visitor.call(inspections.readMeasurement, { params: { _id: free } }),
    createMeasurementCode: () => seller.call(inspections.createMeasurementCode, { params: { _id: own } }),
    readOwnMeasurement: () => seller.call(inspections.readOwnMeasurement, { params: { _id: own } }),
    submitReport: async () => {
      const { code } = await seller.call(inspections.createMeasurementCode, { params: { _id: own } });
      const report = `laptop-report 1\ncode ${code}\nsystem linux\n== end\n`;
      await seller.call(inspections.submitReport, { body: { laptopId: own, report } });
    },
    listInspections: async () => {
      for (const list of inspectionQueue.inspectionLists) {
        await pages((query) => admin.page(inspectionQueue.listInspections, { query: { ...query, list } }));
      }
    },
    readInspection: () => admin.call(inspectionQueue.readInspection, { params: { _id: measured } }),
    decideInspection: async () => {
      const { version, measurement } = await admin.call(inspectionQueue.readInspection, {
        params: { _id: measured },
      });
      await admin.call(inspectionQueue.decideInspection, {
        params: { _id: measured },
        body: {
          ...{ version, measurementId: measurement._id, kind: 'photos', decision: 'refused', note: 'No.' },
          checklist: metFromPhotos,
        },
      });
    },
    createLaptopDraft: async () => {
      draftId = (await seller.call(laptopDrafts.createLaptopDraft, {})).insertedId;
    },
    createDraftCode: () => seller.call(laptopDrafts.createDraftCode, { params: { _id: draftId } }),
    submitDraftReport: async () => {
      const params = { _id: draftId };
      const { code } = await seller.call(laptopDrafts.createDraftCode, { params });
      const report = `laptop-report 1\ncode ${code}\nsystem linux\n== end\n`;
      await seller.call(laptopDrafts.submitDraftReport, { params, body: { report } });
    },
    readDraftMeasurement: () => seller.call(laptopDrafts.readDraftMeasurement, { params: { _id: draftId } }),
    deleteDraftMeasurement: () =>
      seller.call(laptopDrafts.deleteDraftMeasurement, { params: { _id: draftId } }),
    deleteLaptopDraft: () => seller.call(laptopDrafts.deleteLaptopDraft, { params: { _id: draftId } }),
    readCheckCode: async () => {
      const { code } = await seller.call(inspections.createMeasurementCode, { params: { _id: own } });
      await visitor.call(browserChecks.readCheckCode, { body: { code } });
    },
    submitBrowserCheck: async () => {
      const { code } = await seller.call(inspections.createMeasurementCode, { params: { _id: own } });
      await visitor.call(browserChecks.submitBrowserCheck, { body: sampleCheck(code) });
    },
    listLaptop: () => seller.call(catalogue.listLaptop, { body: sampleLaptop(shop.origin) }),
    listOwnLaptops: async () => {
      for (const client of [seller, heavySeller]) {
        await pages((query) => client.page(catalogue.listOwnLaptops, { query }));
        await pages((query) =>
          client.page(catalogue.listOwnLaptops, { query: { ...query, list: 'withdrawn' } }),
        );
        await client.call(catalogue.listOwnLaptops, { query: { cursor: MIDDLE_CURSOR } });
      }
    },
    readOwnLaptop: () => heavySeller.call(catalogue.readOwnLaptop, { params: { _id: free } }),
    changeLaptop: async () => {
      const person = { ...unusedPersonFields, client: seller };
      const sample = sampleLaptop(shop.origin);
      await changeListing(person, own, { ...sample, images: [sample.image], resale_price: 499 });
    },
    advertiseLaptop: () => seller.call(catalogue.advertiseLaptop, { params: { _id: own } }),
    deleteOwnLaptop: () => seller.call(catalogue.deleteOwnLaptop, { params: { _id: own } }),
    relistLaptop: () => seller.call(catalogue.relistLaptop, { params: { _id: own }, body: {} }),
    exchangeToken: () => signIn(buyerNumber),
    registerUser: async () => {
      const body = { name: 'New', email: `new${run}@people.example`, role: 'Buyer' } as const;
      const proven = shop.client(await shop.issuer.idToken(body.email, {}));
      await proven.call(accounts.registerUser, { body });
    },
    renameUser: () => buyer.call(accounts.renameUser, { body: { name: 'Renamed' } }),
    listStaff: () => admin.call(staff.listStaff, {}),
    changeRights: async () => {
      const { members } = await admin.call(staff.listStaff, {});
      const params = { _id: members.at(-1)?._id ?? '' };
      await admin.call(staff.changeRights, { params, body: { isOwner: false, areas: ['people'] } });
    },
    removeStaff: async () => {
      const { members } = await admin.call(staff.listStaff, {});
      await admin.call(staff.removeStaff, { params: { _id: members.at(-1)?._id ?? '' } });
    },
    inviteStaff: async () => {
      const body = { email: `staff${run}@people.example`, isOwner: false, areas: [] };
      ({ insertedId: invitationId } = await admin.call(staff.inviteStaff, { body }));
    },
    withdrawInvitation: () => admin.call(staff.withdrawInvitation, { params: { _id: invitationId } }),
    readInvitation: () =>
      expectRefusal('not_found', visitor.call(staff.readInvitation, { body: noInvitation })),
    acceptInvitation: () =>
      expectRefusal('not_found', buyer.call(staff.acceptInvitation, { body: noInvitation })),
    isAdmin: () => admin.call(accounts.isAdmin, { params: { email: email(buyerNumber) } }),
    readOwnRights: () => admin.call(accounts.readOwnRights, {}),
    isBuyer: () => admin.call(accounts.isBuyer, { params: { email: email(buyerNumber) } }),
    isSeller: () => admin.call(accounts.isSeller, { params: { email: email(buyerNumber) } }),
    sellerStatus: () => buyer.call(accounts.sellerStatus, { params: { email: email(sellerNumber) } }),
    listSellers: readUserPages(people.listSellers),
    listBuyers: readUserPages(people.listBuyers),
    readOwnName: () => seller.call(accounts.readOwnName, {}),
    addRole: () => seller.call(accounts.addRole, { body: { role: 'Seller' } }),
    withdrawName: () => seller.call(accounts.withdrawName, {}),
    recordSellerCheck: () => recordIdentity(),
    takeBadgeBack: () =>
      admin.call(takeBadgeBack, {
        params: { email: email(sellerNumber), badge: 'address' },
        body: { reason: 'It was not readable.' },
      }),
    listWaitingNames: () => pages((query) => admin.page(people.listWaitingNames, { query })),
    approveName: async () => {
      const params = { _id: await askForName('Approved') };
      await admin.call(people.approveName, { params });
    },
    refuseName: async () => {
      const params = { _id: await askForName('Refused') };
      await admin.call(people.refuseName, { params, body: { reason: 'It is not yours.' } });
    },
    readOwnPhone: () => seller.call(phoneChecks.readOwnPhone, {}),
    askPhoneCode: () =>
      seller.call(phoneChecks.askPhoneCode, { body: { phone: `+346${String(run).padStart(8, '0')}` } }),
    confirmPhone: () =>
      expectRefusal('wrong_code', mediumSeller.call(phoneChecks.confirmPhone, { body: { code: '000000' } })),
    removePhone: () => seller.call(phoneChecks.removePhone, {}),
    verifySeller: () =>
      admin.call(people.verifySeller, { params: { email: email(sellerNumber) }, query: {} }),
    listBookings: async () => {
      for (const client of [buyer, heavyBuyer]) {
        await pages((query) => client.page(bookings.listBookings, { query }));
        await client.call(bookings.listBookings, { query: { cursor: MIDDLE_CURSOR } });
      }
    },
    readBooking: () => heavyBuyer.call(bookings.readBooking, { params: { _id: booked } }),
    book: async () => {
      bookingId = await shop.booking({ ...unusedPersonFields, client: buyer }, free);
    },
    listOwnBuyers: async () => {
      for (const client of [seller, heavySeller]) {
        await pages((query) => client.page(bookings.listOwnBuyers, { query }));
        await client.call(bookings.listOwnBuyers, { query: { cursor: MIDDLE_CURSOR } });
      }
    },
    listWishlist: async () => {
      for (const client of [buyer, heavyBuyer]) {
        await pages((query) => client.page(wishlist.listWishlist, { query }));
        await client.call(wishlist.listWishlist, { query: { cursor: MIDDLE_CURSOR } });
      }
    },
    readWishlistItem: () => heavyBuyer.call(wishlist.readWishlistItem, { params: { _id: wished } }),
    wish: async () => {
      ({ insertedId: wishId = '' } = await buyer.call(wishlist.wish, { body: { productCode: free } }));
    },
    removeWish: () => buyer.call(wishlist.removeWish, { params: { _id: wishId } }),
    agreeToPrice: () =>
      buyer.call(bookings.agreeToPrice, { params: { _id: bookingId }, body: { price: 549.99 } }),
    createPaymentIntent: () =>
      buyer.call(payments.createPaymentIntent, { body: { price: 549.99, bookingId } }),
    closePaymentWindow: () => buyer.call(bookings.closePaymentWindow, { params: { _id: bookingId } }),
    cancelBooking: async () => {
      const other = await shop.booking({ ...unusedPersonFields, client: mediumBuyer }, free);
      await mediumBuyer.call(bookings.cancelBooking, { params: { _id: other } });
    },
    recordPayment: async () => {
      const { clientSecret } = await buyer.call(payments.createPaymentIntent, {
        body: { price: 549.99, bookingId },
      });
      const { transactionId } = await shop.pay(clientSecret);
      await buyer.call(payments.recordPayment, { body: { transactionId, bookingId } });
    },
    readOwnMoney: () => heavySeller.call(payouts.readOwnMoney, {}),
    listOwnSales: () => pages((query) => heavySeller.page(payouts.listOwnSales, { query })),
    readPayoutAccount: () => heavySeller.call(payouts.readPayoutAccount, {}),
    // It needs a recent sign-in, and the other calls may take longer.
    startOnboarding: async () =>
      (await signIn(sellerNumber)).call(payouts.startOnboarding, { body: { country: 'US' } }),
    refreshPayoutAccount: () => seller.call(payouts.refreshPayoutAccount, {}),
    listAmountsDue: () => pages((query) => admin.page(settlements.listAmountsDue, { query })),
    listSalesOfSeller: async () => {
      const _id = await idOfUser(heavy.seller);
      await pages((query) => admin.page(settlements.listSalesOfSeller, { params: { _id }, query }));
    },
    exportAmountsDue: () => admin.call(settlements.exportAmountsDue, {}),
    recordSettlement: async () => {
      const sellerId = await idOfUser(heavy.seller);
      const body = { sellerId, amount: 1_000_000, note: `run ${run}` };
      const record = async (kind: settlements.NewSettlement['kind']) =>
        (await signIn(1)).call(settlements.recordSettlement, { body: { kind, ...body } });
      await expectRefusal('more_than_due', record('paid'));
      await expectRefusal('more_than_owed', record('repaid'));
      await expectRefusal('more_than_owed', record('written_off'));
    },
    listSettlements: () => pages((query) => admin.page(settlements.listSettlements, { query })),
    listDebts: () => pages((query) => admin.page(settlements.listDebts, { query })),
    readOrder: async () => buyer.call(orders.readOrder, { params: { _id: (await paidOrder()).id } }),
    readSoldLaptop: async () =>
      buyer.call(orders.readSoldLaptop, { params: { _id: (await paidOrder()).id } }),
    createSameLaptopCode: async () => {
      const { id } = await paidOrder();
      const code = heavySeller.call(sameLaptop.createSameLaptopCode, { params: { _id: id } });
      await code.catch(() => expectRefusal('not_measured', code));
    },
    handOver: async () => {
      const { id, handover_code: code } = await paidOrder();
      await heavySeller.call(orders.handOver, { params: { _id: id }, body: { code } });
    },
    confirmOrder: async () => buyer.call(orders.confirmOrder, { params: { _id: (await paidOrder()).id } }),
    writeReview: async () => {
      const params = { _id: (await paidOrder()).id };
      await buyer.call(reviews.writeReview, { params, body: { stars: 5, text: 'As described.' } });
    },
    readReviewsOfOrder: async () => {
      await buyer.call(reviews.readReviewsOfOrder, { params: { _id: (await paidOrder()).id } });
    },
    answerReview: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { stars: 4, text: 'Friendly.' };
      await heavySeller.call(reviews.writeReview, { params, body });
      const [review] = (await heavySeller.call(reviews.readReviewsOfOrder, { params })).reviews;
      await heavySeller.call(reviews.answerReview, {
        params: { _id: review?._id ?? '' },
        body: { text: 'Thank you.' },
      });
    },
    removeReview: async () => {
      const [review] = await admin.call(reviews.listReviews, { query: { limit: 1 } });
      await admin.call(reviews.removeReview, {
        params: { _id: review?._id ?? '' },
        body: { reason: 'An insult.' },
      });
    },
    reportReview: async () => {
      const params = { _id: await idOfRow('reviews', run * 20 + 1) };
      await buyer.call(reviewReports.reportReview, { params, body: { reason: 'Insulting' } });
    },
    dismissReviewReports: async () => {
      const params = { _id: await idOfRow('reviews', run * 1000) };
      await admin.call(reviewReports.dismissReviewReports, { params, body: {} });
    },
    listReviews: () => pages((query) => admin.page(reviews.listReviews, { query })),
    readShopFigures: () => visitor.call(readShopFigures, {}),
    readSeller: async () => {
      const sellerId = await idOfUser(heavy.seller);
      await visitor.call(sellerPages.readSeller, { params: { sellerId } });
    },
    listReviewsOfSeller: async () => {
      for (const user of [heavy.seller, medium.seller, sellerNumber]) {
        const params = { sellerId: await idOfUser(user) };
        await pages((query) => visitor.page(sellerPages.listReviewsOfSeller, { params, query }));
      }
    },
    listLaptopsOfSeller: async () => {
      for (const user of [heavy.seller, medium.seller, sellerNumber]) {
        const params = { sellerId: await idOfUser(user) };
        await pages((query) => visitor.page(sellerPages.listLaptopsOfSeller, { params, query }));
      }
    },
    complain: () => complain('does_not_work'),
    sayAboutComplaint: async () => {
      const params = { _id: (await paidOrder()).id };
      await buyer.call(complaints.sayAboutComplaint, { params, body: { text: 'And it is loud.' } });
    },
    answerAsSeller: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { move: 'contest', text: 'It works.' } as const;
      await heavySeller.call(complaints.answerAsSeller, { params, body });
    },
    decideComplaint: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { move: 'decide_release', text: 'It works.' } as const;
      await admin.call(complaints.decideComplaint, { params, body });
    },
    answerAsBuyer: async () => {
      const params = { _id: (await paidOrder()).id };
      await complain('locked');
      await buyer.call(complaints.answerAsBuyer, { params, body: { move: 'withdraw' } });
    },
    listComplaintsOfOrder: async () => {
      const params = { _id: (await paidOrder()).id };
      await buyer.call(complaints.listComplaintsOfOrder, { params });
    },
    // No order of this shop goes by parcel.
    chooseBookingDelivery: async () => {
      const [booking] = await buyer.call(bookings.listBookings, { query: { limit: 1 } });
      const params = { _id: booking?._id ?? '' };
      const chosen = buyer.call(shipping.chooseBookingDelivery, { params, body: { location: 'Station' } });
      await expectRefusal('already_paid', chosen);
    },
    changeAddress: async () => {
      const params = { _id: (await paidOrder()).id };
      const changed = buyer.call(shipping.changeAddress, { params, body: sampleAddress });
      await expectRefusal('order_moved', changed);
    },
    shipParcel: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { carrier: 'UPS', trackingNumber: '1Z9999999999' };
      await expectRefusal('order_moved', heavySeller.call(shipping.shipParcel, { params, body }));
    },
    addPackingPhotos: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { photos: ['https://elsewhere.example/parcel.jpg'] };
      await expectRefusal('invalid_input', heavySeller.call(shipping.addPackingPhotos, { params, body }));
    },
    receiveParcel: async () => {
      const params = { _id: (await paidOrder()).id };
      await expectRefusal('order_moved', buyer.call(shipping.receiveParcel, { params }));
    },
    reportParcel: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { move: 'prove_delivery', text: 'Delivered.' } as const;
      await expectRefusal('order_moved', heavySeller.call(shipping.reportParcel, { params, body }));
    },
    decideDelivered: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { text: 'Delivered.' };
      await expectRefusal('order_moved', admin.call(shipping.decideDelivered, { params, body }));
    },
    // Its shop buys no labels.
    listOrderLabels: async () => {
      const params = { _id: (await paidOrder()).id };
      await heavySeller.call(labels.listOrderLabels, { params });
    },
    quoteLabel: async () => {
      const params = { _id: (await paidOrder()).id };
      await expectRefusal('order_moved', heavySeller.call(labels.quoteLabel, { params, body: {} }));
    },
    setReturnAddress: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { sender: sampleSender };
      await expectRefusal('order_moved', heavySeller.call(labels.setReturnAddress, { params, body }));
    },
    buyLabel: async () => {
      const params = { _id: voidedLabel };
      const body = { rate: 'rate', price: 10 };
      await expectRefusal('not_found', buyer.call(labels.buyLabel, { params, body }));
    },
    voidLabel: async () => {
      const params = { _id: voidedLabel };
      await expectRefusal('not_found', buyer.call(labels.voidLabel, { params }));
    },
    printLabels: async () => {
      const printed = heavySeller.call(labels.printLabels, { body: { paper: 'A4' } });
      await expectRefusal('label_refused', printed);
    },
    printManifest: async () => {
      const body = { labels: [voidedLabel] };
      await expectRefusal('label_refused', heavySeller.call(labels.printManifest, { body }));
    },
    readPrintableLabels: async () => {
      await heavySeller.call(labels.readPrintableLabels, {});
    },
    readShippingEstimates: async () => {
      await heavySeller.call(labels.readShippingEstimates, { query: { country: 'US' } });
    },
    listClaims: async () => {
      await admin.call(labels.listClaims, {});
    },
    recordClaimPayment: async () => {
      const params = { _id: voidedLabel };
      await expectRefusal(
        'not_found',
        admin.call(labels.recordClaimPayment, { params, body: { paidBefore: 0, paid: 0 } }),
      );
    },
    listLateParcels: () => pages((query) => admin.page(shipping.listLateParcels, { query })),
    cancelSale: async () => {
      const params = { _id: (await paidOrder()).id };
      const cancelled = heavySeller.call(complaints.cancelSale, { params, body: { text: 'It fell.' } });
      await expectRefusal('order_moved', cancelled);
    },
    refundOrder: async () => {
      const params = { _id: (await paidOrder()).id };
      const body = { amount: 10, from: 'shop', text: 'For the trouble.' } as const;
      await admin.call(orders.refundOrder, { params, body });
    },
    listOrders: async () => {
      await pages((query) => admin.page(orders.listOrders, { query }));
      for (const search of [email(heavy.seller), email(heavy.buyer), 'person', 'pi_1', crypto.randomUUID()]) {
        await admin.page(orders.listOrders, { query: { search } });
      }
    },
    listWaitingRefunds: () => pages((query) => admin.page(orders.listWaitingRefunds, { query })),
    payWaitingRefund: async () => {
      const _id = await find('refunds', `state = 'waiting'`);
      await admin.call(orders.payWaitingRefund, { params: { _id } });
    },
    payRefundByHand: async () => {
      const _id = await find('refunds', `state = 'failed'`);
      await admin.call(orders.payRefundByHand, { params: { _id }, body: { reference: 'BANK-1' } });
    },
    listComplaints: async () => {
      for (const list of complaints.complaintLists) {
        await pages((query) => admin.page(complaints.listComplaints, { query: { ...query, list } }));
      }
    },
    listToDo: async () => {
      for (const client of [heavyBuyer, heavySeller, mediumSeller, buyer, admin]) {
        await client.call(listToDo, {});
      }
    },
    countUnreadConversations: async () => {
      for (const client of [heavyBuyer, heavySeller])
        await client.call(messages.countUnreadConversations, {});
    },
    listConversations: async () => {
      for (const client of [heavyBuyer, heavySeller, mediumSeller, buyer]) {
        await pages((query) => client.page(messages.listConversations, { query }));
        await client.call(messages.listConversations, { query: { cursor: MIDDLE_CURSOR } });
      }
    },
    openConversation: async () => {
      ({ insertedId: conversationId } = await buyer.call(messages.openConversation, { body: { bookingId } }));
      await buyer.call(messages.openConversation, { body: { productCode: free } });
    },
    readConversation: async () => {
      await buyer.call(messages.readConversation, { params: { _id: conversationId } });
      await heavyBuyer.call(messages.readConversation, { params: { _id: longConversation } });
    },
    listMessages: async () => {
      const params = { _id: longConversation };
      for (let time = 0; time < 7; time += 1) {
        const query = { cursor: String(ROWS - time) };
        await heavyBuyer.call(messages.listMessages, { params, query });
      }
      await heavyBuyer.call(messages.listMessages, { params, query: { cursor: MIDDLE_CURSOR } });
      await pages((query) => heavyBuyer.page(messages.listMessages, { params, query }));
      await buyer.call(messages.listMessages, { params: { _id: conversationId }, query: {} });
    },
    sendMessage: async () => {
      const params = { _id: conversationId };
      await buyer.call(messages.sendMessage, { params, body: { text: 'When can we meet?' } });
    },
    proposeMeeting: async () => {
      const params = { _id: conversationId };
      const startsAt = new Date(Date.now() + 3_600_000).toISOString();
      const body = { place: 'Central Station', startsAt };
      ({ insertedId: meetingId } = await buyer.call(meetings.proposeMeeting, { params, body }));
    },
    answerMeeting: async () => {
      const params = { _id: conversationId };
      const body = { meeting: meetingId, answer: 'agree' } as const;
      await heavySeller.call(meetings.answerMeeting, { params, body });
    },
    reportConversation: async () => {
      const params = { _id: conversationId };
      await buyer.call(messageReports.reportConversation, { params, body: { note: 'A fraud.' } });
    },
    listConversationReports: () =>
      pages((query) => admin.page(messageReports.listConversationReports, { query })),
    readReportedMessages: async () => {
      const params = { _id: await idOfRow('message_reports', run * 3) };
      await pages((query) => admin.page(messageReports.readReportedMessages, { params, query }));
    },
    readMessagesOfComplaint: async () => {
      const params = { _id: (await paidOrder()).id };
      await admin.page(messageReports.readMessagesOfComplaint, { params, query: {} });
    },
    resolveConversationReport: async () => {
      const params = { _id: await idOfRow('message_reports', run * 3) };
      await admin.call(messageReports.resolveConversationReport, { params, body: {} });
    },
    markRead: async () => {
      const params = { _id: longConversation };
      await heavyBuyer.call(messages.markRead, { params, body: { sequence: run * 10 } });
    },
    blockPerson: async () => {
      for (const blocked of [true, false]) {
        await buyer.call(messages.blockPerson, { params: { _id: conversationId }, body: { blocked } });
      }
    },
    reportLaptop: () =>
      buyer.call(reports.reportLaptop, { body: { productCode: toDismiss, reason: 'Other' } }),
    listReportedItems: () => pages((query) => admin.page(reports.listReportedItems, { query })),
    dismissReports: () =>
      admin.call(reports.dismissReports, { params: { _id: toDismiss }, body: { note: 'Checked.' } }),
    takeDownLaptop: () =>
      admin.call(reports.takeDownLaptop, {
        params: { _id: toTakeDown },
        body: { note: 'Proof is missing.' },
      }),
    listShopBrands: () => admin.call(brands.listShopBrands, {}),
    addBrand: () => admin.call(brands.addBrand, { body: { name: `Vaio ${run}` } }),
    orderBrands: async () => {
      const ids = (await admin.call(brands.listShopBrands, {})).map(({ _id }) => _id).toReversed();
      await admin.call(brands.orderBrands, { body: { ids } });
    },
    // Another name or a merge changes each laptop of the brand, and reads all saved searches.
    changeBrand: async () => {
      const params = { _id: await brandId() };
      await admin.call(brands.changeBrand, { params, body: { name: `Vaio ${run}`, hidden: true } });
    },
    mergeBrand: async () => {
      const params = { _id: await brandId() };
      await expectRefusal(
        'invalid_input',
        admin.call(brands.mergeBrand, { params, body: { into: params._id } }),
      );
    },
    readBrand: () => visitor.call(catalogue.readBrand, { params: { id: 'HP' } }),
    listPages: () => visitor.call(content.listPages, {}),
    listPosts: () => visitor.call(content.listPosts, {}),
    listContent: () => admin.call(content.listContent, {}),
    addContent: async () => {
      const body = {
        kind: 'post',
        slug: `post-${run}`,
        title: 'Post',
        description: 'A post.',
        body: 'Text',
      } as const;
      postId = (await admin.call(content.addContent, { body })).insertedId;
    },
    readContent: () => admin.call(content.readContent, { params: { _id: postId } }),
    readContentVersion: () => admin.call(content.readContentVersion, { params: { _id: postId, version: 1 } }),
    saveContent: async () => {
      const texts = { slug: `post-${run}`, title: 'Post', description: 'A post.', body: 'Other text' };
      await admin.call(content.saveContent, { params: { _id: postId }, body: { ...texts, version: 1 } });
    },
    publishContent: () =>
      admin.call(content.publishContent, { params: { _id: postId }, body: { version: 2 } }),
    readPost: () => visitor.call(content.readPost, { params: { slug: `post-${run}` } }),
    readPage: () => expectRefusal('not_found', visitor.call(content.readPage, { params: { slug: 'terms' } })),
    withdrawContent: () => admin.call(content.withdrawContent, { params: { _id: postId } }),
    deleteContent: () => admin.call(content.deleteContent, { params: { _id: postId } }),
    previewContent: () => admin.call(content.previewContent, { body: { body: '# Help' } }),
    listAuditTrail: async () => {
      await pages((query) => admin.page(audit.listAuditTrail, { query }));
      await admin.call(audit.listAuditTrail, { query: { cursor: MIDDLE_CURSOR } });
    },
    listReceipts: async () => {
      for (const client of [heavyBuyer, mediumBuyer, buyer]) {
        await pages((query) => client.page(accounting.listReceipts, { query }));
        await client.call(accounting.listReceipts, { query: { cursor: MIDDLE_CURSOR } });
      }
    },
    readReceipt: () => admin.call(accounting.readReceipt, { params: { number: receipt } }),
    listAllReceipts: () =>
      pages((query) =>
        admin.page(accounting.listAllReceipts, {
          query: { ...query, from: '2000-01-01', until: '2099-12-31' },
        }),
      ),
    exportAccounts: async () => {
      // All receipts are of this moment: they are exported in batches like the journal. There are no fees.
      for (const [file, query] of [
        ['journal', yesterday],
        ['receipts', noDay],
        ['fees', noDay],
      ] as const) {
        await admin.call(accounting.exportAccounts, { params: { file }, query });
      }
    },
    explainMovement: () =>
      expectRefusal(
        'not_found',
        admin.call(accounting.explainMovement, {
          params: { _id: difference },
          body: { explanation: 'fee', note: 'Its page says so.' },
        }),
      ),
    readStatement: async () => {
      const query = { month: new Date().toISOString().slice(0, 7) };
      for (const client of [heavySeller, mediumSeller, seller]) {
        await client.call(accounting.readStatement, { query });
      }
    },
    readHealth: () => admin.call(readHealth, {}),
    claimShop: () =>
      buyer.call(firstSteps.claimShop, { body: { key: 'x'.repeat(32) } }).catch(() => undefined),
    connectCardProcessor: () => admin.call(firstSteps.connectCardProcessor, {}),
    sendTestEmail: () => admin.call(firstSteps.sendTestEmail, {}),
    readShopSettings: () => admin.call(settings.readShopSettings, {}),
    saveShopSettings: async () => {
      const seen = await admin.call(settings.readShopSettings, {});
      const changed = { ...seen.settings, tagline: `Laptops ${seen.version}` };
      await admin.call(settings.saveShopSettings, { body: { version: seen.version, settings: changed } });
    },
    uploadShopPicture: () =>
      expectRefusal(
        'unsupported_media_type',
        admin.call(settings.uploadShopPicture, { body: { kind: 'logo', data: 'AAAA' } }),
      ),
    exportShopSettings: () => admin.call(settings.exportShopSettings, {}),
    importShopSettings: async () => {
      const { version } = await admin.call(settings.readShopSettings, {});
      const file = await admin.call(settings.exportShopSettings, {});
      await admin.call(settings.importShopSettings, { body: { version, file } });
    },
    readShopMoney: () => admin.call(accounting.readShopMoney, {}),
    readOwnData: async () => {
      for (const client of [buyer, seller, mediumBuyer, mediumSeller, admin]) {
        await client.call(privacy.readOwnData, {});
      }
    },
    deleteSeller: async () => {
      const _id = await idOfUser(sellerNumber + 20 * 1_000);
      await admin.call(people.deleteSeller, { params: { _id } });
    },
    deleteBuyer: async () => {
      const _id = await idOfUser(buyerNumber + 20 * 1_000);
      await admin.call(people.deleteBuyer, { params: { _id } });
    },
    deleteOwnAccount: async () => {
      const user = sellerNumber + 20 * 2_000;
      const client = await signIn(user);
      await client.call(privacy.deleteOwnAccount, { query: { email: email(user) } });
    },
  };

  async function complain(kind: complaints.ComplaintKind): Promise<void> {
    const body = { kind, text: 'It does not start.' };
    await buyer.call(complaints.complain, { params: { _id: (await paidOrder()).id }, body });
  }

  async function paidOrder(): Promise<{ id: string; handover_code: string }> {
    const { rows } = await pool.query<{ id: string; handover_code: string }>(
      'select id, handover_code from orders where booking_id = $1',
      [bookingId],
    );
    return rows[0] ?? { id: '', handover_code: '' };
  }

  async function idOfRow(table: string, at: number): Promise<string> {
    const { rows } = await pool.query<{ id: string }>(`select ${idOf(table, String(at))} as id`);
    return rows[0]?.id ?? '';
  }

  function idOfUser(user: number): Promise<string> {
    return idOfRow('users', user);
  }
}

/** Fields of a person that booking does not read. */
const unusedPersonFields = { email: '', name: '', userId: '', token: '' } as const;
