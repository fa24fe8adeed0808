import type { ApiRecord } from '../storage/records.ts';
import type { FormObject } from './form-encoding.ts';

/** One API request, with its key checked and its parameters decoded. */
export type Call = {
  caller: 'secret' | 'publishable';
  parameters: FormObject;
  /** The id in the path; empty if the path has none. */
  id: string;
  requestId: string;
  idempotencyKey: string | null;
};

/** A page of a list, with its items rendered. */
export type List = { object: 'list'; url: string; has_more: boolean; data: object[] };

/** A route of the API. */
export type Endpoint = {
  method: 'GET' | 'POST';
  path: string;
  /** Whether a browser may call it with the publishable key. */
  allowsPublishableKey?: boolean;
  /** Runs synchronously, so never concurrently with another. @returns what the response renders @throws {ApiError} */
  handle(call: Call): ApiRecord | List;
};
