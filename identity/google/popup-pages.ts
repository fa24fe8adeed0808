import {
  OAUTH_POPUP_COMPLETE_SCRIPT,
  OAUTH_POPUP_DATA_ELEMENT_ID,
  OAUTH_POPUP_MESSAGE_TYPE,
  OAUTH_POPUP_SCRIPT_CSP_HASH,
} from 'better-auth/plugins';
import * as z from 'zod/mini';

const Told = z.object({
  token: z.optional(z.string()),
  error: z.optional(z.object({ code: z.string().check(z.regex(/^[a-z_]{1,40}$/)) })),
});

/**
 * What a page at the end of the popup tells its opener.
 * @returns the session's token, or the code of an error; `refused` for one in other words, for anybody can have
 *   those written into such a page
 */
export function toldBy(page: string): { token: string; error: null } | { token: null; error: string } {
  const element = page.indexOf('<script type="application/json"');
  const start = page.indexOf('>', element) + 1;
  const json = element < 0 ? '{}' : page.slice(start, page.indexOf('</script>', start));
  const { token, error } = Told.safeParse(JSON.parse(json)).data ?? {};
  return token === undefined ? { token: null, error: error?.code ?? 'refused' } : { token, error: null };
}

interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** What a person sees when the popup cannot hand its outcome to a page: words and nothing that runs. */
export function closingPage(sentence: string): Page {
  return {
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign-in</title></head>
<body><p>${sentence}</p><p>You can close this window.</p></body></html>`,
    contentSecurityPolicy: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  };
}

/**
 * A page that tells its opener, whoever that is, that it may not sign people in. It carries nothing but that
 * code, so an untrusted origin may read it; without it that origin would only see a window that stays open.
 * Its script is the one that ends a successful sign-in, allowed by its hash.
 * @param targetOrigin the origin that the opener claims; the browser delivers to no other
 */
export function refusingPage(targetOrigin: string, nonce: string, sentence: string): Page {
  const outcome = JSON.stringify({
    type: OAUTH_POPUP_MESSAGE_TYPE,
    targetOrigin,
    nonce,
    error: { code: 'unauthorized_domain', description: sentence },
  }).replaceAll('<', '\\u003c');
  return {
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign-in</title></head>
<body><p>${sentence}</p><script type="application/json" id="${OAUTH_POPUP_DATA_ELEMENT_ID}">${outcome}</script>
<script>${OAUTH_POPUP_COMPLETE_SCRIPT}</script></body></html>`,
    contentSecurityPolicy: `default-src 'none'; script-src '${OAUTH_POPUP_SCRIPT_CSP_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  };
}
