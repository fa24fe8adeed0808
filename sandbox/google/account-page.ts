import { emptyHtml, html, pagePolicy, renderPage } from '../html.ts';

/**
 * Returns the Content-Security-Policy of the page.
 * @param origins the origins of the redirect after the choice, because `form-action` applies to redirects as well
 */
export const chooserPolicy = (origins: readonly string[]) =>
  pagePolicy(`form-action 'self' ${origins.join(' ')}`);

/** The parameters of the authorization request that the form submits again. */
const repeatedParameters = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
];

/** Returns the URL of the redirect after a cancelled sign-in, with OpenID Connect's `access_denied`. */
function cancelUrl(request: URLSearchParams): string | null {
  const redirectUri = request.get('redirect_uri') ?? '';
  if (!URL.canParse(redirectUri)) return null;
  const url = new URL(redirectUri);
  url.searchParams.set('error', 'access_denied');
  const state = request.get('state');
  if (state !== null) url.searchParams.set('state', state);
  return url.href;
}

/** Renders the account chooser: one button for each account, which continues the request. */
export function renderChooser(
  accounts: readonly { email: string; name: string }[],
  action: string,
  request: URLSearchParams,
): string {
  const fields = repeatedParameters.map(
    (name) => html`<input type="hidden" name="${name}" value="${request.get(name) ?? ''}">`,
  );
  const buttons = accounts.map(
    ({ email, name }) => html`<li><button name="email" value="${email}">
<span class="name">${name}</span> <span class="email">${email}</span>
</button></li>
`,
  );
  const cancel = cancelUrl(request);
  return renderPage(
    'Choose an account',
    '/google.css',
    html`<h1>Choose an account</h1>
<p>to continue to Coomercio. This is Google’s stand-in: the accounts are not real, and no password is required.</p>
<form method="post" action="${action}">
${fields}
<ul>
${buttons}</ul>
</form>
${cancel === null ? emptyHtml : html`<p><a href="${cancel}">Cancel</a></p>`}`,
  );
}
