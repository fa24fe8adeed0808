import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { PublicShop } from '#contract/platform/shop-settings.ts';

/** What the server passes with each page request. */
export interface RequestContext {
  callApi: (url: string, init: RequestInit) => Promise<Response>;
  nonce: string;
  origin: string;
  /** How the shop presents itself. */
  shop: PublicShop;
  report: (error: unknown) => void;
  /** Whether the response is read to its end before it is sent, so that nothing needs to be streamed. */
  isBuffered: boolean;
}

export type PageHandler = (request: Request, context: RequestContext) => Promise<Response>;

/** The part of the web build that the server uses. */
export interface Pages {
  handle: PageHandler;
  /**
   * Returns the canonical path and query of a page that is the same for every visitor; null for another page.
   * @param url a path with a query
   */
  toPublicPath: (url: URL) => string | null;
}

const Build = z.object({
  entry: z.object({
    module: z.object({
      createPageHandler: z.custom<(build: unknown, mode: 'production' | 'development') => PageHandler>(
        (value) => typeof value === 'function',
      ),
      toPublicPath: z.custom<Pages['toPublicPath']>((value) => typeof value === 'function'),
    }),
  }),
});

export function toPages(build: unknown, mode: 'production' | 'development'): Pages {
  const { createPageHandler, toPublicPath } = Build.parse(build).entry.module;
  return { handle: createPageHandler(build, mode), toPublicPath };
}

/** Loads the web build. @param root the folder of `build/` @throws Error when it is missing */
export async function loadPages(root: string): Promise<Pages> {
  const build: unknown = await import(pathToFileURL(join(root, 'build/server/index.js')).href);
  return toPages(build, 'production');
}
