import type { ApiRecord } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

/** One API request, with its key checked and its parameters decoded. */
export type Call = {
  caller: 'secret' | 'publishable';
  /** Texts in version 1, which is form-encoded; any JSON in version 2. */
  parameters: Record<string, unknown>;
  /** The id in the path; empty if the path has none. */
  id: string;
  /** The connected account that the request is made for; null for the platform. */
  account: string | null;
  requestId: string;
  idempotencyKey: string | null;
};

/** A page of a list, with its items rendered. */
export type List = { object: 'list'; url: string; has_more: boolean; data: object[] };

/** A page of a list in version 2 of the API, with its items rendered. */
export type Page = { data: object[]; next_page_url: string | null; previous_page_url: string | null };

/** An object in Stripe's format. */
export type Rendered = { object: string } & Record<string, unknown>;

/** A route of the API. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Whether it can be called for a connected account, which the header `Stripe-Account` names. */
  allowsAccount?: boolean;
  /** Whether a browser may call it with the publishable key. */
  allowsPublishableKey?: boolean;
  /** Runs synchronously, so never concurrently with another. @returns what the response renders, or the response itself @throws {ApiError} */
  handle(store: Store, call: Call): ApiRecord | List | Page | Rendered;
};
