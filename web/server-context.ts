import { createContext } from 'react-router';
import type { Client } from '#contract/platform/client.ts';
import type { PublicShop } from '#contract/platform/shop-settings.ts';

/** What the server passes to loaders. */
export interface ServerContext {
  /** Dispatches API calls in process. */
  client: Client;
  /** The public origin, without a trailing slash. */
  origin: string;
  /** How the shop presents itself. */
  shop: PublicShop;
  /** Allows this document's inline scripts under its content security policy. */
  nonce: string;
  /** Whether the document is read to its end before it is sent, so that nothing needs to be streamed. */
  isBuffered: boolean;
  /** Reports an error that the page survives. */
  report: (error: unknown) => void;
}

export const serverContext = createContext<ServerContext>();

/** The result of work without which a page can be shown; null when it fails, which is reported. */
export const orNull = <Result>(
  { report }: Pick<ServerContext, 'report'>,
  work: Promise<Result>,
): Promise<Result | null> =>
  work.catch((error: unknown) => {
    report(error);
    return null;
  });
