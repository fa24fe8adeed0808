// All tables in one file, although it is long: queries join tables of several capabilities (docs/decisions/0002), and each
// table names the capability that writes it.

import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  Kysely,
  Transaction as KyselyTransaction,
  Selectable,
} from 'kysely';
import type { BrowserFacts, CheckResult } from '#contract/certification/browser-checks.ts';
import type { RevocationReason } from '#contract/certification/certificates.ts';
import type {
  Checklist,
  Decision,
  InspectedListing,
  InspectionKind,
  ListingChange,
} from '#contract/certification/inspection-desk.ts';
import type { MeasuringProgram } from '#contract/certification/inspections.ts';
import type { Machine } from '#contract/certification/machine.ts';
import type { SameLaptopCheck } from '#contract/certification/same-laptop.ts';
import type {
  GraphicsKind,
  OperatingSystem,
  ProcessorFamily,
  ProcessorGeneration,
} from '#contract/listings/facts.ts';
import type { EvidenceEnd, Level } from '#contract/listings/levels.ts';
import type { PhotoKinds } from '#contract/listings/photo-kinds.ts';
import type { ReportReason, ShopReason } from '#contract/listings/reports.ts';
import type {
  ComparedMovement,
  DifferenceKind,
  MovementExplanation,
  ReceiptKind,
  TaxScheme,
} from '#contract/money/accounting.ts';
import type { BalanceTransactionType, LedgerAccount, PostingKind } from '#contract/money/ledger.ts';
import type { OrderActor, OrderState } from '#contract/money/order-states.ts';
import type { PayoutRequirement } from '#contract/money/payouts.ts';
import type { AuditAction } from '#contract/people/audit.ts';
import type { ChosenTopic, Delivery, NotificationTopic } from '#contract/people/notifications.ts';
import type { PhoneCodeState } from '#contract/people/phone-checks.ts';
import type { RecordedDocument } from '#contract/people/seller-checks.ts';
import type { ComplaintKind, Statement } from '#contract/sales/complaints.ts';
import type { OrderEvent } from '#contract/sales/orders.ts';
import type { ReviewReportReason } from '#contract/sales/review-reports.ts';
import type { ReviewSide } from '#contract/sales/reviews.ts';

/** An amount of money in US cents. */
type Cents = number;
/** An ascending number by which lists are ordered and paged. As text, because it may exceed 2^53. */
type RowNumber = GeneratedAlways<string>;
type CreatedAt = ColumnType<Date, never, never>;

/** The columns of each table, and the capability that writes it. */
export interface Tables {
  /** Owned by accounts. */
  users: {
    id: Generated<string>;
    number: RowNumber;
    email: string;
    name: string;
    role: 'Buyer' | 'Seller' | 'Admin';
    /** Whether an admin has verified this seller. */
    verified: Generated<boolean>;
    /** When; null also for sellers verified before this was recorded. */
    verified_at: Date | null;
    /** When an admin saw a proof of address. */
    address_checked_at: Date | null;
    /** Which document it was, and how the admin saw it; null for documents that were seen before this was recorded. */
    address_document: RecordedDocument['kind'] | null;
    address_seen: RecordedDocument['seen'] | null;
    /** When an admin saw an identity document. */
    identity_checked_at: Date | null;
    identity_document: RecordedDocument['kind'] | null;
    identity_seen: RecordedDocument['seen'] | null;
    /** The telephone number that this seller has confirmed with a code, in E.164. */
    phone: string | null;
    /** When `phone` was confirmed. */
    phone_confirmed_at: Date | null;
    /** Whether the identity provider has verified `email`. */
    email_verified: Generated<boolean>;
    created_at: CreatedAt;
    ended_at: Date | null;
  };

  /** Owned by accounts: new names that wait for an admin, at most one of each person. */
  waiting_names: {
    id: Generated<string>;
    number: RowNumber;
    user_id: string;
    name: string;
    created_at: CreatedAt;
  };

  /** Owned by photos: photos of the built-in image host. Photos uploaded before this table existed have no row. */
  photos: {
    /** SHA-256 of the uploaded bytes, hexadecimal. */
    hash: string;
    /** `waiting`: no laptop shows it yet; `listed`: a laptop shows it; `leaving`: being deleted; `gone`: deleted. */
    state: Generated<'waiting' | 'listed' | 'leaving' | 'gone'>;
    since: Generated<Date>;
    /** Whether the photo's fingerprints were made, or it was found to have none. */
    fingerprinted: Generated<boolean>;
    /** Bytes of the file from which variants are made; 0 for photos before the column. */
    bytes: Generated<number>;
    /** Hashed keys of the quotas in which the photo counts while nothing shows it: its uploader's and the address ranges'. */
    counted_for: Generated<string[]>;
  };

  /** Owned by photos: small pictures of listed photos, to compare them. Plain photos have none. */
  photo_thumbnails: {
    photo_hash: string;
    /** 64 by 64 pixels, one byte of luminance each, row by row. */
    thumbnail: Buffer;
  };

  /** Owned by photos: fingerprints of 64 bits by which similar photos are found. */
  photo_fingerprints: {
    photo_hash: string;
    /** As text, because it exceeds 2^53. */
    fingerprint: string;
    quarter_1: GeneratedAlways<number>;
    quarter_2: GeneratedAlways<number>;
    quarter_3: GeneratedAlways<number>;
    quarter_4: GeneratedAlways<number>;
  };

  /** Owned by catalogue. */
  brands: {
    id: Generated<string>;
    category_id: string;
    image: string;
    position: number;
  };

  /** Owned by catalogue. */
  laptops: {
    id: Generated<string>;
    number: RowNumber;
    brand: string;
    seller_id: string;
    name: string;
    location: string;
    images: string[];
    /** Captions by the entries of `images`; those of other photos are not shown. */
    photo_captions: ColumnType<Record<string, string>, string | undefined, string>;
    /** What photos show, by the entries of `images`. */
    photo_kinds: ColumnType<PhotoKinds, string | undefined, string>;
    /** Five characters that the seller writes on a slip of paper in a photo. */
    slip_code: Generated<string>;
    description: ColumnType<string | Record<string, string>, string, string>;
    original_price_cents: Cents;
    resale_price_cents: Cents;
    posted_time: string;
    use_time: string;
    mobile_number: string;
    condition: 'Excellent' | 'Good' | 'Fair';
    /** `blocked`: a lock was found on it. */
    state: Generated<'available' | 'sold' | 'withdrawn' | 'taken_down' | 'blocked'>;
    /** The order in which it was sold; not null if and only if `state` is `sold`. */
    sold_order_id: string | null;
    /** The admin's message to the seller; not null if and only if `state` is `taken_down`. */
    taken_down_note: string | null;
    advertised_at: Date | null;
    created_at: CreatedAt;
    /** The facts read from `description`, null when not understood. */
    memory_gb: number | null;
    storage_gb: number | null;
    screen_inches: number | null;
    processor: ProcessorFamily | null;
    generation: ProcessorGeneration | null;
    graphics: GraphicsKind | null;
    system: OperatingSystem | null;
    battery_percent: number | null;
    /** Percent of the battery's capacity when new by the latest measurement. */
    measured_battery: ColumnType<number | null, never, number | null>;
    /** The version of the rules by which the facts were read; 0 when they were not read yet. */
    facts_version: Generated<number>;
    /** When `state` last changed; set by a trigger. */
    state_since: ColumnType<Date, never, never>;
    /** Counts the seller's edits, from 1. */
    version: Generated<number>;
    /** The version with which the price last changed. */
    price_version: Generated<number>;
    /** The time of the last edit. */
    edited_at: Date | null;
    /** How well the listing is checked; `server/certification/inspections/` decides. */
    level: Generated<Level>;
    /** When it was measured or inspected; null if and only if `level` is `word`. */
    level_at: Date | null;
    /** Measurements, browser checks and inspections from before it do not count; null when all count. */
    evidence_since: ColumnType<Date | null, never, never>;
    /** Why: a buyer sent it back as not as described, or it was not for sale for long. Null if and only if `evidence_since` is. */
    evidence_ended: ColumnType<EvidenceEnd | null, never, never>;
    /** The id of the transaction that last changed the row; set by a trigger. */
    changed_in: ColumnType<string, never, never>;
  };

  /** Owned by catalogue: numbers that laptops had before they were listed again. */
  retired_laptop_numbers: {
    number: string;
    /** The transaction that changed the laptop's number. */
    changed_in: ColumnType<string, never, never>;
  };

  /** Owned by catalogue: each resale price of a laptop and since when it applies. Read-only: triggers write it. */
  laptop_prices: {
    laptop_id: ColumnType<string, never, never>;
    since: ColumnType<Date, never, never>;
    resale_price_cents: ColumnType<Cents, never, never>;
  };

  /**
   * Owned by catalogue: which laptop shows which photo of the built-in host. Read-only: triggers derive it from
   * `laptops.images`.
   */
  laptop_photos: {
    laptop_id: ColumnType<string, never, never>;
    /** The index in `laptops.images`, from 1. */
    position: ColumnType<number, never, never>;
    photo_hash: ColumnType<string, never, never>;
  };

  /** Owned by saved-searches. */
  saved_searches: {
    id: Generated<string>;
    number: RowNumber;
    user_id: string;
    name: string;
    /** Parsed filters of the contract. */
    filters: ColumnType<unknown, string, never>;
    /** SHA-256 of the filters' normal form, hexadecimal. */
    filters_sha256: ColumnType<string, string, never>;
    frequency: 'at once' | 'daily';
    created_at: CreatedAt;
    /** Changes in transactions below this one were visible when the search was saved or resumed. */
    known_since: Generated<string>;
    /** Not null while no emails are sent, for instance after unsubscribing. */
    paused_at: Date | null;
    last_email_at: Date | null;
    /** When the next email is due; null while there is nothing to tell. */
    due_at: Date | null;
  };

  /** Owned by saved-searches: alerts that were not emailed yet. Removed when the email was sent. */
  saved_search_news: {
    search_id: string;
    laptop_id: string;
    /** The price before it dropped; null for a laptop that newly matches. */
    old_price_cents: Cents | null;
    noted_at: Generated<Date>;
    /** The email that is being sent with it. */
    email_id: string | null;
    /** When that email was enqueued; not null if and only if `email_id` is. */
    emailed_at: Date | null;
  };

  /** Owned by saved-searches: changed laptops to match against all searches. Triggers insert the rows. */
  laptops_to_match: {
    laptop_id: ColumnType<string, never, never>;
    /** What a search knew of the laptop before; null when it was not for sale. */
    before: ColumnType<Record<string, unknown> | null, never, never>;
    /** The first change. */
    since: ColumnType<Date, never, never>;
    /** The transaction of the latest change. */
    changed_in: ColumnType<string, never, never>;
    /** Ascends with each further change. */
    version: ColumnType<string, never, never>;
  };

  /** Owned by inspections: the one-time code with which a laptop may send one report and one browser check. */
  measurement_codes: {
    laptop_id: string;
    /** Hexadecimal. */
    code_sha256: string;
    expires_at: Date;
    report_taken: Generated<boolean>;
    check_taken: Generated<boolean>;
  };

  /** Owned by inspections: the tests that a person made in a laptop's browser. Rows are never changed. */
  browser_checks: {
    id: Generated<string>;
    number: RowNumber;
    laptop_id: ColumnType<string, string, never>;
    /** Hexadecimal. */
    code_sha256: ColumnType<string, string, never>;
    checked_at: ColumnType<Date, Date | undefined, never>;
    results: ColumnType<CheckResult[], string, never>;
    browser: ColumnType<BrowserFacts, string, never>;
  };

  /** Owned by inspections: what a laptop reported about itself. */
  measurements: {
    id: Generated<string>;
    number: RowNumber;
    laptop_id: string;
    measured_at: CreatedAt;
    measured_with: MeasuringProgram;
    machine: ColumnType<Machine, string, string>;
    /** A keyed hash of maker and serial number, hexadecimal; null when the serial number is unknown. */
    machine_hash: string | null;
    /** Keyed hashes of the serial numbers of the board and the drives, and of the TPM's key. */
    part_hashes: string[];
  };

  /** Owned by inspections: a laptop that is measured before it is listed, with its code and its latest measurement. */
  laptop_drafts: {
    id: Generated<string>;
    number: RowNumber;
    seller_id: string;
    expires_at: Date;
    /** Hexadecimal. */
    code_sha256: string | null;
    code_expires_at: Date | null;
    /** Whether the code was used for a report. */
    report_taken: Generated<boolean>;
    /** Null before the first browser check, like the next three columns. */
    checked_at: Date | null;
    /** Hexadecimal: the code of the check. */
    check_code_sha256: string | null;
    check_results: ColumnType<CheckResult[] | null, string | null, string | null>;
    check_browser: ColumnType<BrowserFacts | null, string | null, string | null>;
    /** Null before the first report, like the next two columns. */
    measured_at: Date | null;
    measured_with: MeasuringProgram | null;
    machine: ColumnType<Machine | null, string | null, string | null>;
    machine_hash: string | null;
    part_hashes: Generated<string[]>;
    /** Becomes the laptop's code. */
    slip_code: Generated<string>;
  };

  /** Owned by inspections: locks that were found on machines, over all listings, drafts and accounts. */
  found_locks: {
    /** A keyed hash of maker and serial number, or of the board's serial number without one, hexadecimal. */
    identity_hash: string;
    lock: keyof Machine['locks'];
    /** As in `measurements`. */
    part_hashes: string[];
    found_at: Generated<Date>;
  };

  /** Owned by inspections: measurements of sold laptops before the hand-over, compared with the one before the sale. */
  same_laptop_checks: {
    number: RowNumber;
    order_id: string;
    laptop_id: string;
    /** Hexadecimal. */
    code_sha256: string;
    code_expires_at: Date;
    /** The last four characters of the code; null for codes of earlier versions. */
    code_ending: string | null;
    /** Null before the report, like the result. */
    checked_at: Date | null;
    result: SameLaptopCheck['result'] | null;
    differences: ColumnType<SameLaptopCheck['differences'], string | undefined, string>;
    unread: Generated<string[]>;
  };

  /** Owned by inspections: decisions of admins about measured laptops. Append-only. */
  inspections: {
    id: Generated<string>;
    number: RowNumber;
    laptop_id: string;
    /** The admin. */
    inspector_id: string | null;
    inspected_at: CreatedAt;
    /** How the admin looked at it. One in hand has photos. */
    kind: InspectionKind;
    decision: Decision;
    measurement_id: string;
    /** The version of the listing that was inspected. */
    laptop_version: number;
    /** That listing. */
    listing: ColumnType<InspectedListing, string, never>;
    /** What had changed since the inspection that approved an earlier version. */
    changes: ColumnType<ListingChange[], string, never>;
    /** The admin's grade; not null if and only if it was approved. */
    grade: 'Excellent' | 'Good' | 'Fair' | null;
    checklist: ColumnType<Checklist, string, never>;
    /** The admin's sentence to the seller. */
    note: string;
    /** The admin's photos, in their stored form. */
    photos: string[];
  };

  /** Owned by inspections: which decision shows which photo of the built-in host. Read-only: a trigger writes it. */
  inspection_photos: {
    inspection_id: ColumnType<string, never, never>;
    /** The index in `inspections.photos`, from 1. */
    position: ColumnType<number, never, never>;
    photo_hash: ColumnType<string, never, never>;
  };

  /** Owned by inspections: by what the stored levels were computed. At most one row. */
  battery_floors: {
    only_row: Generated<boolean>;
    /** Percent. */
    excellent: number;
    good: number;
    /** Of the facts that were read from the listings; 0 makes all levels be computed again. */
    facts_version: Generated<number>;
  };

  /** Owned by certificates: the public keys. The private ones are derived from the shop's secret. */
  certificate_keys: {
    number: number;
    /** RFC 7638 thumbprint. */
    kid: string;
    /** base64url */
    public_key: string;
    created_at: CreatedAt;
    /** When it signed for the last time; null for the one that signs. */
    retired_at: Date | null;
    revoked_at: Date | null;
  };

  /** Owned by certificates: what was certified about laptops. */
  certificate_versions: {
    /** Also the position in the status lists. */
    number: Generated<string>;
    laptop_id: string;
    /** From 1 for each laptop. */
    version: number;
    issued_at: Date;
    kid: string;
    /** Hexadecimal. */
    content_sha256: string;
    /** Null when it was erased with the seller's account. */
    jws: string | null;
    /** Not null if and only if `revocation_reason` is. */
    revoked_at: Date | null;
    revocation_reason: RevocationReason | null;
  };

  /** Owned by certificates: laptops whose certificate may have changed. Triggers insert the rows. */
  certificates_to_renew: {
    laptop_id: string;
    noted_at: ColumnType<Date, never, never>;
  };

  /** Owned by wishlist. */
  wishlist_items: {
    id: Generated<string>;
    number: RowNumber;
    buyer_id: string;
    laptop_id: string;
    added_at: CreatedAt;
  };

  /** Owned by bookings. */
  bookings: {
    id: Generated<string>;
    number: RowNumber;
    laptop_id: string;
    buyer_id: string;
    /** The laptop's seller. */
    seller_id: ColumnType<string, string, never>;
    /** The price to which the buyer agreed, or the lowest one that applied since, until it is paid. A trigger lowers it. */
    price_cents: Cents;
    /** The last price of which the buyer was told by email; null when the buyer knows no other than `price_cents`. */
    told_price_cents: Cents | null;
    /** `price_cents` at the time of the email about `told_price_cents`; null when unknown. Ignore while `told_price_cents` is null. */
    told_agreed_cents: Cents | null;
    phone: string;
    location: string;
    booked_at: CreatedAt;
    /** Null when it was not cancelled, or only by the laptop's present state. Null if it has an order. */
    cancelled_at: Date | null;
    /** `withdrawal`: the laptop left the shop and was listed again. Not null if and only if `cancelled_at` is. */
    cancelled_by: 'buyer' | 'withdrawal' | null;
    /** When its order ended and the laptop was the seller's again: its buyer can book the laptop anew. Null while its order stands. */
    ended_at: Date | null;
  };

  /** Owned by bookings: the payment hold on a laptop, which lets one booking's buyer pay at a time. */
  holds: {
    laptop_id: string;
    booking_id: string;
    /** Set by a trigger. */
    buyer_id: ColumnType<string, never, never>;
    /** The start of the buyer's 20 minutes: earlier than the hold when the buyer has held the laptop before. */
    started_at: Date;
    expires_at: Date;
  };

  /** Owned by bookings: how long a booking's buyer has held the laptop before the current hold. */
  hold_uses: {
    booking_id: string;
    used_ms: number;
    ended_at: Date;
  };

  /** Owned by bookings: the queue of buyers who wait for the payment hold on a laptop. */
  hold_waits: {
    booking_id: string;
    laptop_id: string;
    buyer_id: string;
    number: GeneratedAlways<string>;
    /** When the entry expires unless the buyer's page renews it. */
    expires_at: Date;
  };

  /** Owned by orders: sales, one per payment that bought a laptop. */
  orders: {
    id: Generated<string>;
    number: RowNumber;
    booking_id: string;
    laptop_id: string;
    buyer_id: string;
    seller_id: string;
    transaction_id: string;
    price_cents: Cents;
    /** What the shop keeps of the whole price, frozen at the sale. */
    commission_cents: Cents;
    state: OrderState;
    state_since: Generated<Date>;
    /** When the state ends by itself; null if and only if it does not. */
    due_at: Date | null;
    /** The state in which a bank disputed the payment; not null if and only if the bank has not decided. */
    disputed_in: OrderState | null;
    /** Whether its latest complaint is open, also while a bank decides. */
    in_complaint: GeneratedAlways<boolean>;
    /** Why the seller gave the sale up. */
    cancel_reason: string | null;
    /** Whether the buyer has the laptop, as far as the two have said so, or nobody complained in time. */
    laptop_with_buyer: Generated<boolean>;
    /** False once the money went back and the buyer does not have the laptop, which then is its seller's. */
    stands: GeneratedAlways<boolean>;
    /** When the ledger credited the seller. */
    released_at: Date | null;
    /** What went back to the buyer at the cost of the sale, also by a bank. */
    refunded_cents: Generated<Cents>;
    /** What the buyer got back at the shop's own cost. */
    goodwill_cents: Generated<Cents>;
    /** Six digits, which the buyer shows to the seller. */
    handover_code: string;
    wrong_codes: Generated<number>;
    codes_locked_until: Date | null;
    placed_at: CreatedAt;
  };

  /** Owned by orders: what happened to orders. Append-only. */
  order_events: {
    order_id: string;
    number: RowNumber;
    happened_at: CreatedAt;
    event: OrderEvent['event'];
    actor: OrderActor | 'shop';
    amount_cents: Cents | null;
  };

  /** Owned by complaints. The latest one of an order is open while the order is `in_complaint`. */
  complaints: {
    id: Generated<string>;
    number: RowNumber;
    order_id: string;
    /** Counts the complaints of the order, from 1. */
    nth: number;
    kind: ComplaintKind;
    complained_at: CreatedAt;
    /** When somebody was last reminded of an answer. */
    reminded_at: Date | null;
  };

  /** Owned by complaints: what was said and done about complaints. Texts and photos go with their author's account. */
  complaint_statements: {
    id: Generated<string>;
    number: RowNumber;
    complaint_id: string;
    /** Counts the statements of the complaint, from 1. */
    nth: number;
    said_at: CreatedAt;
    party: 'buyer' | 'seller' | 'admin';
    author_id: string;
    /** Null for words alone. */
    move: Statement['move'] | null;
    text: string;
    amount_cents: Cents | null;
    /** In their stored form. */
    photos: string[];
  };

  /** Owned by complaints: which statement shows which photo of the built-in host. Read-only: a trigger writes it. */
  complaint_photos: {
    statement_id: ColumnType<string, never, never>;
    /** The index in `complaint_statements.photos`, from 1. */
    position: ColumnType<number, never, never>;
    photo_hash: ColumnType<string, never, never>;
  };

  /** Owned by messages: what a buyer and a seller write to each other about a laptop; one for each buyer and laptop. */
  conversations: {
    id: Generated<string>;
    number: RowNumber;
    laptop_id: string;
    buyer_id: string;
    seller_id: string;
    opened_at: ColumnType<Date, never, never>;
    /** How many there are: the sequence number of the latest one. */
    messages: Generated<number>;
    /** By which lists are ordered: the number of the latest message or proposed meeting; null before the first one. */
    latest_number: string | null;
    /** The sequence number up to which the buyer has read. */
    buyer_read: Generated<number>;
    seller_read: Generated<number>;
    /** When the buyer is told of unread messages; null while there are none, or when that was done. */
    buyer_notice_at: Date | null;
    seller_notice_at: Date | null;
    /** The sequence number up to which the buyer was told of unread messages. */
    buyer_told: Generated<number>;
    seller_told: Generated<number>;
  };

  /** Owned by messages. */
  messages: {
    conversation_id: string;
    /** Counts the messages of the conversation, from 1. */
    sequence: number;
    number: RowNumber;
    sender_id: string;
    sent_at: ColumnType<Date, never, never>;
    text: string;
    /** In their stored form. */
    photos: Generated<string[]>;
  };

  /** Owned by messages: private photos of the built-in image host, each of one conversation. */
  message_photos: {
    photo_hash: string;
    /** In its stored form. */
    photo: string;
    conversation_id: string;
    uploader_id: string;
    /** The message that shows it; null before it is sent. */
    sequence: number | null;
  };

  /** Owned by messages: where and when the two people of a conversation meet. One at a time is not cancelled. */
  meetings: {
    id: Generated<string>;
    number: RowNumber;
    conversation_id: string;
    proposer_id: string;
    place: string;
    starts_at: Date;
    state: Generated<'proposed' | 'agreed' | 'cancelled'>;
    state_since: Generated<Date>;
    reminded_at: Date | null;
  };

  /** Owned by messages: reports of conversations by one of their people. */
  message_reports: {
    id: Generated<string>;
    number: RowNumber;
    conversation_id: string;
    reporter_id: string;
    /** An admin reads the messages up to this one. */
    until_sequence: number;
    note: string;
    reported_at: ColumnType<Date, never, never>;
    resolved_at: Date | null;
  };

  /** Owned by messages: who does not take messages from whom. */
  message_blocks: {
    blocker_id: string;
    blocked_id: string;
    blocked_at: ColumnType<Date, never, never>;
  };

  /** Owned by reviews. The schema allows no change but that one is shown, answered and removed, each once. */
  reviews: {
    id: Generated<string>;
    number: RowNumber;
    order_id: string;
    /** The side that wrote it. */
    side: ReviewSide;
    author_id: string;
    /** The reviewed person. */
    subject_id: string;
    stars: number;
    text: string;
    written_at: CreatedAt;
    /** When it is shown without a review of the other side. */
    due_at: Date;
    shown_at: Date | null;
    answer: string | null;
    answered_at: Date | null;
    removed_at: Date | null;
    removed_by_id: string | null;
    removal_reason: string | null;
  };

  /** Owned by reviews: reports of reviews by people who read them. */
  review_reports: {
    id: Generated<string>;
    number: RowNumber;
    review_id: string;
    reporter_id: string;
    reason: ReviewReportReason;
    note: string;
    reported_at: CreatedAt;
    /** Null while an admin has not decided. */
    resolution: 'dismissed' | 'removed' | null;
  };

  /** Owned by jobs: items of background work that failed and are postponed. */
  failed_items: {
    queue: string;
    item: string;
    attempts: number;
    failed_at: Date;
    next_attempt_at: Date;
  };

  /** Owned by reviews: sums of a person's sales and shown reviews. Read-only: triggers derive it. A person without any may have no row. */
  reputations: {
    user_id: ColumnType<string, never, never>;
    /** Sales that stand: their money was released, not given back, and no bank decides about it. */
    sold: ColumnType<number, never, never>;
    /** Shown reviews about this person, of sales that stand. */
    reviews: ColumnType<number, never, never>;
    /** The sum of the stars of these reviews. */
    stars: ColumnType<number, never, never>;
  };

  /** Owned by ledger: movements of money. Append-only, like their entries; the schema checks that they balance. */
  ledger_postings: {
    id: Generated<string>;
    number: RowNumber;
    kind: PostingKind;
    /** What caused it, such as a transaction id; with the kind, it is posted once. */
    reference: string;
    posted_at: CreatedAt;
  };

  /** Owned by ledger. */
  ledger_entries: {
    number: RowNumber;
    posting_id: string;
    account: LedgerAccount;
    /** Positive for a debit, negative for a credit. As text, because sums may exceed 2^53. */
    amount_cents: ColumnType<string, number, never>;
    /** Not null for `held`. */
    order_id: string | null;
    /** Not null if and only if the account is `payable`. */
    seller_id: string | null;
  };

  /** Read-only: a trigger of the ledger keeps it. */
  seller_balances: {
    seller_id: ColumnType<string, never, never>;
    /** Positive when the shop owes the seller. As text, because sums may exceed 2^53. */
    balance_cents: ColumnType<string, never, never>;
    /** What was paid to the seller. */
    paid_cents: ColumnType<string, never, never>;
    /** The part of released orders that can still be complained about. */
    waiting_cents: ColumnType<string, never, never>;
    /** The part of orders with an open complaint or a bank dispute. */
    stopped_cents: ColumnType<string, never, never>;
    /** The number of orders that a bank disputes. While there is one, nothing is paid to the seller. */
    disputed_orders: ColumnType<number, never, never>;
    /** What can be paid now, for each value of `PAYOUT_AFTER`; negative: a debt that no payable money covers. */
    free_after_completion_cents: ColumnType<string, never, never>;
    free_after_release_cents: ColumnType<string, never, never>;
  };

  /** Read-only: triggers keep it. What is payable of an order, as text like `balance_cents`. */
  order_payables: {
    order_id: ColumnType<string, never, never>;
    seller_id: ColumnType<string, never, never>;
    /** The number of its first entry: payments to the seller are set off in this order. */
    first_entry: ColumnType<string, never, never>;
    payable_cents: ColumnType<string, never, never>;
    /** Why it is held back. */
    hold: ColumnType<'none' | 'complaints' | 'stopped', never, never>;
  };

  /** Read-only: triggers keep it. The sums of a seller's day, by the shop's time zone, as texts like `balance_cents`. */
  seller_days: {
    seller_id: ColumnType<string, never, never>;
    day: ColumnType<Date, never, never>;
    released_cents: ColumnType<string, never, never>;
    /** Less what was taken back of payments. */
    paid_cents: ColumnType<string, never, never>;
    /** Refunds and lost disputes. */
    taken_back_cents: ColumnType<string, never, never>;
  };

  /** Owned by payouts: payments to sellers that admins made outside the shop. */
  settlements: {
    id: Generated<string>;
    number: RowNumber;
    seller_id: string;
    admin_id: string;
    /** As text, because it may exceed an integer. */
    amount_cents: ColumnType<string, number, never>;
    /** The bank's reference, once per seller. */
    reference: string;
    settled_at: CreatedAt;
  };

  /** Owned by payouts: repayments and write-offs of sellers' debts. */
  debt_settlements: {
    id: Generated<string>;
    number: RowNumber;
    kind: 'repaid' | 'written_off';
    seller_id: string;
    admin_id: string;
    /** As text, because it may exceed an integer. */
    amount_cents: ColumnType<string, number, never>;
    /** The bank's reference, once per seller; not null if and only if it is repaid. */
    reference: string | null;
    /** Not null if and only if it is written off. */
    reason: string | null;
    settled_at: CreatedAt;
  };

  /** Owned by payouts: sellers' accounts at the card processor. */
  payout_accounts: {
    seller_id: string;
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** Counts the accounts of this seller: each creation has its own idempotency key. */
    attempt: Generated<number>;
    account_id: string | null;
    state: Generated<'creating' | 'active' | 'pending' | 'restricted' | 'unsupported' | 'closed' | 'refused'>;
    requirements: ColumnType<PayoutRequirement[], string | undefined, string>;
    /** Why the account is refused or closed, in words. */
    problem: Generated<string>;
    created_at: CreatedAt;
    next_check_at: Generated<Date>;
    /** When the seller could be paid for the first time, whichever account it was; null before. */
    active_since: Date | null;
    /** No transfer goes to the account before this time: its bank account may have been changed. */
    hold_until: Date | null;
  };

  /** Owned by payouts: transfers to sellers' accounts. */
  transfers: {
    id: Generated<string>;
    order_id: string;
    seller_id: string;
    account_id: string;
    amount_cents: Cents;
    /** What of the order was set off against debts of the seller. */
    netted_cents: Cents;
    reversed_cents: Generated<Cents>;
    /** The number of the attempt; each has its own idempotency key at the card processor. */
    attempt: Generated<number>;
    /** `pending` reserves the amount: it may have been transferred already. */
    state: Generated<'pending' | 'made' | 'refused'>;
    /** The card processor's id; not null if and only if it is made. */
    transfer_id: string | null;
    /** In words; not null if and only if it is refused. */
    failure: string | null;
    created_at: CreatedAt;
    made_at: Date | null;
    /** When a pending transfer is resumed, or a refused one is tried again. */
    next_attempt_at: Date;
    /** When admins were told of its refusal. */
    refusal_told_at: Date | null;
  };

  /** Owned by payouts: parts of transfers that the shop takes back. */
  transfer_reversals: {
    id: Generated<string>;
    transfer_id: string;
    amount_cents: Cents;
    state: Generated<'pending' | 'made' | 'refused'>;
    /** The card processor's id; not null if and only if it is made. */
    reversal_id: string | null;
    failure: string | null;
    created_at: CreatedAt;
    next_attempt_at: Date;
  };

  /** Owned by payouts: payouts from sellers' accounts to their banks. */
  bank_payouts: {
    payout_id: string;
    account_id: string;
    seller_id: string;
    amount_cents: ColumnType<string, number, never>;
    /** `paid` can still become `failed`, when the bank returns the money. */
    state: 'under_way' | 'paid' | 'failed';
    failure: string | null;
    created_at: Date;
    arrives_at: Date;
    /** The card processor's id of the bank account; null for payouts of earlier versions. */
    destination: string | null;
  };

  /** Owned by receipts: the last number of each year. */
  receipt_counters: { year: number; last: number };

  /** Owned by receipts: receipts and credit notes. Append-only, with numbers without gaps. */
  receipts: {
    number: RowNumber;
    year: number;
    sequence: number;
    /** The year and the sequence, such as `2026-000017`. */
    receipt_number: GeneratedAlways<string>;
    kind: ReceiptKind;
    order_id: string;
    recipient_id: string;
    amount_cents: Cents;
    laptop_name: string;
    /** Earlier versions stated the shop's scheme; new receipts have `none`. */
    tax_scheme: Generated<TaxScheme>;
    issued_at: CreatedAt;
    /** The time zone of the number's year and of the printed date. */
    time_zone: string;
    /** The shop's identity on the receipt; null when none was configured. */
    identity_since: Date | null;
  };

  /** Owned by receipts: what receipts say about the shop, from a time on. Null for what is not configured. */
  shop_identities: {
    since: CreatedAt;
    legal_name: string | null;
    address: string | null;
    tax_id: string | null;
  };

  /** Owned by accounting: the movements of the shop's balance, as the card processor lists them. */
  balance_transactions: {
    id: string;
    type: BalanceTransactionType;
    amount_cents: ColumnType<string, number, never>;
    fee_cents: ColumnType<string, number, never>;
    source_id: string | null;
    transaction_id: string | null;
    created_at: Date;
    /** ISO 4217 in lower case. */
    currency: string;
    /** The card processor's own name of the kind; null for movements that earlier versions read. */
    category: string | null;
    /** The transfer of a reversal. */
    transfer_id: string | null;
    /** What an admin said about an unknown movement. */
    explanation: Exclude<MovementExplanation, 'shop_loss' | 'paid_by_hand'> | null;
  };

  /** Owned by accounting: how far the card processor's balance is read. One row. */
  balance_reading: {
    only_row: Generated<boolean>;
    /** All movements before this time are read. */
    read_until: Date | null;
    compared_at: Date | null;
    next_at: Generated<Date>;
  };

  /** Owned by accounting: differences between the ledger and the card processor's balance. */
  ledger_differences: {
    id: Generated<string>;
    number: RowNumber;
    kind: DifferenceKind;
    movement: ComparedMovement;
    reference: string;
    ledger_cents: ColumnType<string, number, number>;
    processor_cents: ColumnType<string, number, number>;
    /** The card processor's name of an unknown movement, or the currency; else empty. */
    detail: string;
    found_at: CreatedAt;
    resolved_at: Date | null;
  };

  /** Owned by accounting: sums of the ledger's entries by month, up to the number in `ledger_totals_until`. */
  ledger_totals: { month: Date; account: LedgerAccount; kind: PostingKind; cents: string };
  ledger_totals_until: { only_row: Generated<boolean>; entry_number: string; time_zone: Generated<string> };

  /**
   * Owned by ledger: the time zone of days, months and the years of receipts. One row. A change counts `seller_days` and
   * `ledger_totals` anew.
   */
  shop_time_zone: { only_row: Generated<boolean>; time_zone: string };

  /** Owned by payments: one attempt to pay a booking. */
  payment_intents: {
    id: Generated<string>;
    booking_id: string;
    amount_cents: Cents;
    transaction_id: string | null;
    state: Generated<'open' | 'settled' | 'refunded' | 'closed'>;
    created_at: CreatedAt;
    /** When reconciliation next asks the card processor about it. */
    next_check_at: Generated<Date>;
  };

  /** Owned by payments. */
  payments: {
    id: Generated<string>;
    booking_id: string;
    transaction_id: string;
    amount_cents: Cents;
    paid_at: CreatedAt;
  };

  /** Owned by payments: refunds of payments, due or made. */
  refunds: {
    id: Generated<string>;
    booking_id: string;
    transaction_id: string;
    amount_cents: Cents;
    reason:
      | 'sold_to_another'
      | 'left_the_shop'
      | 'booking_cancelled'
      | 'paid_twice'
      | 'wrong_amount'
      | 'price_changed'
      | 'lock_found'
      | 'order_cancelled'
      | 'complaint'
      | 'partial'
      | 'charged_back'
      | 'by_admin'
      | 'goodwill'
      | 'made_at_processor'
      | 'unexplained';
    /**
     * `waiting`: until the money is back from the seller, or an admin decides. `done` can still become `failed`, when the buyer's
     * bank returns the money. `settled_by_bank`: it failed, and a lost dispute gave the buyer the money.
     */
    state: Generated<'waiting' | 'pending' | 'done' | 'failed' | 'settled_by_bank'>;
    created_at: CreatedAt;
    done_at: Date | null;
    /** The number of the attempt; each has its own idempotency key at the card processor. */
    attempt: Generated<number>;
    /** The card processor's id of this attempt's refund, once it is known. A refund that an operator made there can pay several rows. */
    card_refund_id: string | null;
    /** Not null if and only if it has failed. */
    failed_at: Date | null;
    /** The attempt that waits for funds in the balance at the card processor; null when none does. */
    unfunded_attempt: number | null;
    /** The card processor's failure code; not null if and only if it has failed. */
    failure_reason: string | null;
    /** When reconciliation next asks the card processor about it; null for never. */
    next_check_at: Generated<Date | null>;
    /** What an admin told both people about it; empty for nothing. */
    note: Generated<string>;
    /** When the buyer and the admins were told that it waits. */
    told_waiting_at: Date | null;
  };

  /** Owned by payments: disputes that buyers open at their banks. They do not change the sale. */
  disputes: {
    id: Generated<string>;
    /** The card processor's id. */
    card_dispute_id: string;
    booking_id: string;
    transaction_id: string;
    amount_cents: Cents;
    /** The card processor's code, such as `fraudulent`. */
    reason: string;
    /** The deadline for evidence; null when the bank accepts none. */
    evidence_due_at: Date | null;
    /** `open` is from an earlier version, which did not distinguish inquiries from chargebacks. */
    state: Generated<'open' | 'inquiry' | 'inquiry_closed' | 'chargeback' | 'won' | 'lost'>;
    opened_at: CreatedAt;
    /** Not null if and only if the dispute has ended. */
    closed_at: Date | null;
    /** When reconciliation next asks the card processor about it. */
    next_check_at: Generated<Date>;
  };

  /** Owned by payments: warnings of card networks that payments are probably fraudulent. */
  fraud_warnings: {
    /** The card processor's id. */
    warning_id: string;
    booking_id: string;
    transaction_id: string;
    fraud_type: string;
    received_at: CreatedAt;
  };

  /** Owned by payments: the processed events of the card processor, so that none is processed twice. */
  webhook_events: {
    id: string;
    type: string;
    transaction_id: string | null;
    received_at: CreatedAt;
  };

  /** Owned by reports. */
  reports: {
    id: Generated<string>;
    number: RowNumber;
    laptop_id: string;
    /** Null if and only if the shop itself reports the laptop. */
    reporter_id: string | null;
    reason: ReportReason | ShopReason;
    /** The listing with the same laptop, part or photo; not null if and only if the shop itself reports the laptop. */
    other_laptop_id: string | null;
    /** The photo that is shown twice, as in `laptops.images`; not null if and only if the reason is `Same photo`. */
    photo: string | null;
    /** The other listing's photo; not null if and only if `photo` is. */
    other_photo: string | null;
    note: string;
    resolution: 'dismissed' | 'taken_down' | null;
    created_at: CreatedAt;
  };

  /** Owned by duplicates: laptops to compare with the other listings. Triggers insert the rows. */
  laptops_to_compare: {
    number: ColumnType<string, never, never>;
    laptop_id: ColumnType<string, never, never>;
    /** The other listing after which the comparison goes on; null for its beginning. */
    after_id: ColumnType<string | null, never, never>;
  };

  /** Owned by reports: a summary of a laptop's reports. Read-only: triggers derive it from `reports`. */
  reported_laptops: {
    laptop_id: ColumnType<string, never, never>;
    reports: ColumnType<number, never, never>;
    open_reports: ColumnType<number, never, never>;
    has_open: ColumnType<boolean, never, never>;
    /** The number of the latest report. */
    latest: ColumnType<string, never, never>;
  };

  /** Owned by audit. A trigger rejects updates and deletes. */
  audit_entries: {
    id: Generated<string>;
    number: RowNumber;
    /** Null for the command line and for the card processor. */
    admin_id: string | null;
    act: AuditAction;
    laptop_id: string | null;
    subject: string;
    note: string;
    created_at: CreatedAt;
  };

  /** Owned by payments: the buyer and the seller of payments whose accounts were deleted. No endpoint reads it. */
  bookkeeping: {
    transaction_id: string;
    party: 'buyer' | 'seller';
    name: string;
    email: string;
    kept_at: CreatedAt;
  };

  /** Owned by http: the used part of each quota. */
  rate_limits: {
    key: string;
    empty_at: Date;
  };

  /** Owned by photos: the folder of the photos, when they are on disk. At most one row. */
  photo_folder: {
    singleton: Generated<boolean>;
    id: string;
    since: Generated<Date>;
  };

  /** Owned by backup: the state of periodic backups. One row. */
  backup_state: {
    singleton: Generated<boolean>;
    /** The configured interval; null when periodic backups are off. */
    every_ms: string | null;
    /** Since when periodic backups are on. */
    expected_since: Date | null;
    /** When the run under way began. A killed run leaves it. */
    running_since: Date | null;
    last_name: string | null;
    /** When the last complete backup was begun: it contains what was committed before. */
    last_at: Date | null;
    last_bytes: string | null;
    last_duration_ms: string | null;
    /** The outcome of the last backup's verification; null until it ends. */
    verification: 'passed' | 'failed' | 'not_done' | null;
    verified_at: Date | null;
    /** Why the verification failed or was not done. */
    verification_detail: string | null;
    /** `last_at` of the last backup whose verification passed. */
    last_passed_at: Date | null;
    /** `last_at` of the last backup whose verification did not fail. */
    last_usable_at: Date | null;
    /** Failed runs since the last complete and not refuted backup. */
    failures: Generated<number>;
    /** Failed runs since the shop exists. */
    failure_count: Generated<string>;
    last_failure_at: Date | null;
    last_failure: string | null;
    /** When a failed run is attempted again. */
    retry_at: Date | null;
    /** When the admins were told that backups fail; null since a usable one. */
    notified_at: Date | null;
  };

  /** Owned by http: responses that are sent again to retries with the same key. */
  idempotency_keys: {
    user_id: string;
    key: string;
    /** SHA-256 of the endpoint and its input, hexadecimal. */
    fingerprint: string;
    /** The JSON that was sent. */
    answer: string;
    expires_at: Date;
  };

  /** Owned by notifications: what the shop told people. */
  notifications: {
    id: string;
    number: RowNumber;
    user_id: string;
    topic: NotificationTopic;
    title: string;
    body: string;
    /** The other person whose name or words it contains. */
    quoted_id: string | null;
    /** A page of the shop. */
    path: string;
    created_at: CreatedAt;
    seen_at: Date | null;
    emailed_at: Date | null;
    /** When it goes into a daily email; null when it does not, or has been taken for one. */
    digest_at: Date | null;
    /** The daily email that it was taken for, until that is sent. */
    digest_id: string | null;
  };

  /** Owned by notifications: when notifications are emailed, for the topics for which a person has chosen. */
  notification_settings: {
    user_id: string;
    topic: ChosenTopic;
    delivery: Delivery;
  };

  /** Owned by notifications: browsers that get push messages (RFC 8030). */
  push_subscriptions: {
    id: Generated<string>;
    user_id: string;
    /** The session at the identity provider with which the browser subscribed; null without one. */
    session_id: string | null;
    endpoint: string;
    /** The browser's public key, base64url. */
    p256dh: string;
    /** The authentication secret, base64url. */
    auth: string;
    created_at: Generated<Date>;
    /** The notifications that the push service has not taken yet, and perhaps older ones. */
    waiting: Generated<string[]>;
  };

  /** Owned by phone-checks: codes that sellers asked for in the last day. A code itself is derived from its id, and not stored. */
  phone_codes: {
    id: Generated<string>;
    number: RowNumber;
    user_id: ColumnType<string, string, never>;
    /** In E.164. */
    phone: ColumnType<string, string, never>;
    /** `waiting`: its job has not begun; the others as in the contract. */
    state: Generated<PhoneCodeState | 'waiting'>;
    asked_at: CreatedAt;
    expires_at: Date;
    wrong_attempts: Generated<number>;
    used_at: Date | null;
  };

  /** Owned by phone-checks: how many codes were sent in a day. Kept apart, because an ended account loses its codes. */
  phone_code_counts: {
    /** In UTC. */
    day: ColumnType<Date, never, never>;
    /** `shop`, or a keyed hash of a number. */
    subject: ColumnType<string, never, never>;
    count: ColumnType<number, never, never>;
  };

  /** Owned by accounts: sessions that have ended at the identity provider. */
  ended_sessions: {
    /** The session's id at the identity provider: `sid` of its tokens. */
    id: string;
    forget_at: Date;
  };

  /** Owned by accounts: addresses of erased accounts, while an ID token of such an account may still be valid. */
  erased_addresses: {
    /** SHA-256 of the address in lower case, hexadecimal. */
    email_sha256: string;
    erased_at: Date;
    forget_at: Date;
  };
}

/** A row of a table. */
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;

export type Database = Kysely<Tables>;
/** Required by functions that lock rows, so that they cannot be called outside a transaction. */
export type Transaction = KyselyTransaction<Tables>;
/** For queries that may run inside or outside a transaction. */
export type Reader = Database | Transaction;

export type UserRow = Row<'users'>;
