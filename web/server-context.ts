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
  /**
   * Collects HTML that the document contains and the loader data does not repeat, by element id (static-html.tsx).
   * Null for a data request, which has no document.
   */
  staticHtml: Map<string, string> | null;
}

export const serverContext = createContext<ServerContext>();
