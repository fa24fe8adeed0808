import type { ConversationReport, ReportedMessage } from '#contract/sales/message-reports.ts';
import { recordAudit } from '#server/people/audit/steps.ts';
import type { Page, PageRequest } from '#server/platform/database/keyset-page.ts';
import type { Database, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { selectForWriting } from './actions.ts';
import { messagesUntil } from './message-store.ts';
import * as reportStore from './report-store.ts';
import type { MessageRow } from './rules.ts';

/** A conversation that an admin may read. */
type Readable = Pick<
  reportStore.ReportRow,
  | 'conversation_id'
  | 'until_sequence'
  | 'buyer_id'
  | 'seller_id'
  | 'laptop_name'
  | 'buyer_name'
  | 'seller_name'
>;

/** Reports the other person of the caller's conversation. @returns the report's id @throws Refusal */
export async function reportConversation(
  transaction: Transaction,
  caller: Caller,
  { id, note }: { id: string; note: string },
): Promise<string> {
  const { row } = await selectForWriting(transaction, caller, id);
  if (row.messages === 0) {
    throw new Refusal('message_refused', 'Nothing was written in this conversation yet.');
  }
  const reportId = await reportStore.insertReport(transaction, {
    conversation_id: id,
    reporter_id: caller.userId,
    until_sequence: row.messages,
    note,
  });
  if (reportId !== null) return reportId;
  throw new Refusal(
    'message_refused',
    'You have reported this conversation already. An admin will look at it.',
  );
}

/** The people and the laptop of a conversation, for the audit trail. */
const subjectOf = ({ laptop_name, buyer_id, seller_id }: Readable) => ({
  personIds: [buyer_id, seller_id],
  subject: laptop_name,
});

/**
 * Reads messages for an admin. Each page is recorded in the audit trail before it is read: an admin can ask for any page first.
 */
async function readFor(
  database: Database,
  admin: Caller,
  readable: Readable,
  note: string,
  request: PageRequest,
): Promise<Page<MessageRow>> {
  await database.transaction().execute((transaction) =>
    recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Read messages',
      ...subjectOf(readable),
      note,
    }),
  );
  return messagesUntil(database, readable.conversation_id, readable.until_sequence, request);
}

/** Messages with the conversation that they belong to. */
interface ReadMessages {
  page: Page<MessageRow>;
  readable: Readable;
}

/** Reads the messages of a reported conversation until the report. @throws Refusal */
export async function readReported(
  database: Database,
  admin: Caller,
  id: string,
  request: PageRequest,
): Promise<ReadMessages> {
  const readable = await reportStore.findReport(database, id);
  if (readable === undefined) throw new Refusal('not_found', 'There is no such report.');
  // The id, because what the reporter wrote is erased with the account.
  const note = `Because of the report ${readable.id}.`;
  return { readable, page: await readFor(database, admin, readable, note, request) };
}

/** Reads the messages of the two people of an order with a complaint. @throws Refusal */
export async function readOfComplaint(
  database: Database,
  admin: Caller,
  orderId: string,
  request: PageRequest,
): Promise<ReadMessages> {
  const readable = await reportStore.findOfComplaint(database, orderId);
  if (readable === undefined) {
    throw new Refusal('not_found', 'There are no messages that belong to a complaint about this order.');
  }
  const note = 'Because of a complaint about the order.';
  return { readable, page: await readFor(database, admin, readable, note, request) };
}

/** Resolves a report. @returns false when it was resolved before @throws Refusal */
export function resolveMessageReport(
  database: Database,
  admin: Caller,
  { id, note }: { id: string; note: string },
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const report = await reportStore.findReport(transaction, id);
    if (report === undefined) throw new Refusal('not_found', 'There is no such report.');
    if (!(await reportStore.resolveReport(transaction, id))) return false;
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Resolved report of messages',
      ...subjectOf(report),
      note,
    });
    return true;
  });
}

/** The response for a report. */
export function toReport(row: reportStore.ReportRow): ConversationReport {
  const isByBuyer = row.reporter_id === row.buyer_id;
  return {
    _id: row.id,
    productName: row.laptop_name,
    reporterName: isByBuyer ? row.buyer_name : row.seller_name,
    reportedName: isByBuyer ? row.seller_name : row.buyer_name,
    note: row.note,
    reportedAt: row.reported_at.toISOString(),
    state: row.resolved_at === null ? 'Open' : 'Resolved',
  };
}

/** The response for a message that an admin reads. @param photoUrl makes the address of a stored photo */
export function toReportedMessage(
  row: MessageRow,
  { buyer_id, buyer_name, seller_name }: Readable,
  photoUrl: (photo: string) => string,
): ReportedMessage {
  const by = row.sender_id === buyer_id ? 'buyer' : 'seller';
  return {
    sequence: row.sequence,
    by,
    name: by === 'buyer' ? buyer_name : seller_name,
    text: row.text,
    photos: row.photos.map(photoUrl),
    at: row.sent_at.toISOString(),
  };
}
