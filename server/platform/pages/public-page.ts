import { randomBytes } from 'node:crypto';
import type { PublicShop } from '#contract/platform/shop-settings.ts';
import {
  type CacheDependencies,
  collectCacheDependencies,
  combineCacheDependencies,
} from '../http/cache-dependencies.ts';
import { toCachedResponse } from '../http/cached-response.ts';
import type { InProcessFetch } from '../http/in-process-fetch.ts';
import { utf8 } from '../http/paging.ts';
import { unavailableHeaders } from '../http/problems.ts';
import type { Created } from '../http/response-cache.ts';
import type { Pages } from './build.ts';
import { hashScripts } from './hash-scripts.ts';
import { type SecurityOptions, securityHeaders } from './security-headers.ts';
import { SPECULATION_RULES_PATH } from './speculation-rules.ts';

export interface PublicPageOptions extends SecurityOptions {
  callApi: InProcessFetch;
  /** How the shop presents itself at the moment. */
  shop: () => PublicShop;
}

/** What a rendering takes from the request that needs it. Nothing of it reaches the page. */
export interface Cause {
  /** The client's IP address, for limits. */
  address: string;
  /** Called with the error of a section that failed. */
  report: (error: unknown) => void;
}

/**
 * Renders a page that is the same for every visitor. Nothing of a request reaches it but the parsed URL.
 * @param path its canonical path and query
 * @returns a response that may be cached if all of its sections were read
 */
export async function renderPublicPage(
  { handle }: Pages,
  options: PublicPageOptions,
  path: string,
  { address, report }: Cause,
): Promise<Created> {
  const nonce = randomBytes(16).toString('base64url');
  const dependencies: CacheDependencies[] = [];
  let isComplete = true;
  const url = new URL(path, options.origin);
  const response = await handle(new Request(url), {
    nonce,
    origin: options.origin,
    shop: options.shop(),
    isBuffered: true,
    report: (error) => {
      isComplete = false;
      report(error);
    },
    callApi: async (url, init) => {
      const call = await collectCacheDependencies(() => options.callApi(url, init, address));
      if (call.dependencies === null || !call.result.ok) isComplete = false;
      else dependencies.push(call.dependencies);
      return call.result;
    },
  });
  const { html, sources } = hashScripts(await response.text(), nonce);
  const headers = {
    'cache-control': 'no-cache',
    ...Object.fromEntries(response.headers),
    ...securityHeaders(options, url.pathname, sources),
    ...unavailableHeaders(response.status),
    'speculation-rules': `"${SPECULATION_RULES_PATH}"`,
    vary: 'accept-encoding',
  };
  return {
    response: toCachedResponse(utf8(html), headers, response.status),
    dependencies: isComplete && response.status === 200 ? combineCacheDependencies(dependencies) : null,
  };
}
