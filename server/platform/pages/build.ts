import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import { databaseUnavailable } from '../http/refusal.ts';

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
  /** @throws Refusal when the shop could not answer the calls of a page */
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
  const handle = createPageHandler(build, mode);
  return {
    handle: async (request, context) => {
      let isUnavailable = false;
      const callApi: RequestContext['callApi'] = async (url, init) => {
        const answer = await context.callApi(url, init);
        isUnavailable ||= answer.status === 503;
        return answer;
      };
      const response = await handle(request, { ...context, callApi });
      // The router answers 500 to whatever a loader throws. Search engines drop a page that answers so.
      if (response.status !== 500 || !isUnavailable) return response;
      await response.body?.cancel();
      throw databaseUnavailable();
    },
    toPublicPath,
  };
}

/** Loads the web build. @param root the folder of `build/` @throws Error when it is missing */
export async function loadPages(root: string): Promise<Pages> {
  const build: unknown = await import(pathToFileURL(join(root, 'build/server/index.js')).href);
  return toPages(build, 'production');
}
