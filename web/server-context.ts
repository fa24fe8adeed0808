import { createContext } from 'react-router';
import type { Client } from '#contract/client.ts';

/** What the server hands to the loaders of a page: calls dispatched in process, and where the shop stands. */
export interface InProcess {
  client: Client;
  /** The public origin, without a trailing slash. */
  origin: string;
  /** Allows this document's inline scripts under its content security policy. */
  nonce: string;
  report: (error: unknown) => void;
  /**
   * Takes HTML that the document brings and that need not follow as data, by the name of its place
   * (static-html.tsx); null when a page that is open already asks for data alone.
   */
  inDocument: Map<string, string> | null;
}

export const inProcess = createContext<InProcess>();
