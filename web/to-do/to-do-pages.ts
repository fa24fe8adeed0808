import type { UseQueryResult } from '@tanstack/react-query';
import { href } from 'react-router';
import { listToDo, MAXIMUM_TO_DO, type ToDo, type ToDoKind } from '#contract/operations/to-do.ts';
import { useRead } from '../requests/reads.ts';

/** The page where each kind is done. */
export const toDoPages: Readonly<Record<ToDoKind, string>> = {
  pay: href('/dashboard/myOrders'),
  agree_to_price: href('/dashboard/myOrders'),
  show_code: href('/dashboard/myOrders'),
  receive_parcel: href('/dashboard/myOrders'),
  look_at_laptop: href('/dashboard/myOrders'),
  answer_offer: href('/dashboard/myOrders'),
  return_laptop: href('/dashboard/myOrders'),
  answer_meeting: href('/dashboard/messages/:id?'),
  read_message: href('/dashboard/messages/:id?'),
  answer_question: href('/dashboard/messages/:id?'),
  answer_complaint: href('/dashboard/myBuyers'),
  give_return_address: href('/dashboard/myBuyers'),
  confirm_return: href('/dashboard/myBuyers'),
  hand_over: href('/dashboard/myBuyers'),
  send_parcel: href('/dashboard/myBuyers'),
  open_payout_account: href('/dashboard/money'),
  decide_complaint: href('/dashboard/complaints'),
  answer_dispute: href('/dashboard/shopMoney'),
  inspect_laptop: href('/dashboard/inspections'),
  resolve_item_report: href('/dashboard/reportedItems'),
  resolve_conversation_report: href('/dashboard/reportedItems'),
  resolve_review_report: href('/dashboard/reviews'),
  late_parcel: href('/dashboard/complaints'),
  record_claim_payment: href('/dashboard/complaints'),
  approve_name: href('/dashboard/allSellers'),
  decide_waiting_refund: href('/dashboard/complaints'),
  failed_refund: href('/dashboard/complaints'),
  refused_transfer: href('/dashboard/health'),
  failed_backup: href('/dashboard/health'),
};

/** What waits for the signed-in person. The drawer keeps it up to date. */
export const useToDo = (): UseQueryResult<ToDo[]> => useRead(listToDo, {});

/** How much waits on a page; on all pages without one. */
export const countToDo = (waiting: readonly ToDo[], page?: string): number =>
  waiting
    .filter(({ kind }) => page === undefined || toDoPages[kind] === page)
    .reduce((sum, { count }) => sum + count, 0);

/** A number for display, with a plus where it was not counted any further. */
export const formatToDo = (count: number): string =>
  count >= MAXIMUM_TO_DO ? `${MAXIMUM_TO_DO}+` : String(count);
