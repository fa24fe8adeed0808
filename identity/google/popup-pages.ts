import {
  OAUTH_POPUP_COMPLETE_SCRIPT,
  OAUTH_POPUP_DATA_ELEMENT_ID,
  OAUTH_POPUP_MESSAGE_TYPE,
  OAUTH_POPUP_SCRIPT_CSP_HASH,
} from 'better-auth/plugins';
import * as z from 'zod/mini';

const PopupMessage = z.object({
  token: z.optional(z.string()),
  error: z.optional(z.object({ code: z.string().check(z.regex(/^[a-z_]{1,40}$/)) })),
});

/**
 * Reads the message that the last page of the sign-in window posts to its opener.
 * @returns the session's token, or an error code. A code that is not in snake case becomes `refused`: anybody can have
 *   any text put into such a page, and the code is logged
 */
export function readPopupMessage(
  page: string,
): { token: string; error: null } | { token: null; error: string } {
  const element = page.indexOf('<script type="application/json"');
  const start = page.indexOf('>', element) + 1;
  const json = element < 0 ? '{}' : page.slice(start, page.indexOf('</script>', start));
  const { token, error } = PopupMessage.safeParse(JSON.parse(json)).data ?? {};
  return token === undefined ? { token: null, error: error?.code ?? 'refused' } : { token, error: null };
}

interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** Renders a sentence for a sign-in window that has no opener to report to. The page runs no script. */
export function renderMessagePage(sentence: string): Page {
  return {
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign-in</title></head>
<body><p>${sentence}</p><p>You can close this window.</p></body></html>`,
    contentSecurityPolicy: "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  };
}

/**
 * Renders a page that reports `unauthorized_domain` to its opener. The message carries only that code, so an untrusted
 * origin may read it; without it, that origin would see a window that stays open. The script is better-auth's own,
 * allowed by its hash.
 * @param targetOrigin the origin that the opener claims; the browser delivers the message to no other
 */
export function renderRefusalPage(targetOrigin: string, nonce: string, sentence: string): Page {
  const message = JSON.stringify({
    type: OAUTH_POPUP_MESSAGE_TYPE,
    targetOrigin,
    nonce,
    error: { code: 'unauthorized_domain', description: sentence },
  }).replaceAll('<', '\\u003c');
  return {
    html: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign-in</title></head>
<body><p>${sentence}</p><script type="application/json" id="${OAUTH_POPUP_DATA_ELEMENT_ID}">${message}</script>
<script>${OAUTH_POPUP_COMPLETE_SCRIPT}</script></body></html>`,
    contentSecurityPolicy: `default-src 'none'; script-src '${OAUTH_POPUP_SCRIPT_CSP_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  };
}
