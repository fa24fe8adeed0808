import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { contentSecurityPolicy } from './browser-files.ts';
import { openLink } from './resources/account-links.ts';
import { completeOnboarding } from './resources/account-state.ts';
import { bankAccounts, LATE_FAILURE, ROUTING_NUMBER } from './resources/bank-accounts.ts';
import type { Account, AccountLink } from './storage/records.ts';
import type { Store } from './storage/store.ts';

const answer = z.object({
  outcome: z.enum(['pass', 'ask', 'refuse', 'leave']),
  bank_account: z.string().refine((number) => bankAccounts.has(number)),
});

/** Escapes text for HTML, also inside of quoted attributes. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function renderPage({ contact, id }: Account): string {
  const choices = [...bankAccounts].map(
    ([number, failure], index) =>
      `<label><input type="radio" name="bank_account" value="${number}"${index === 0 ? ' checked' : ''}> ` +
      `${number} payouts ${failure === null ? 'succeed' : `fail: ${failure}`}${number === LATE_FAILURE ? ', later' : ''}</label>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Get paid – card processor stand-in</title>
<link rel="stylesheet" href="/browser/page.css">
</head>
<body>
<main>
<h1>Get paid</h1>
<p>This page stands in for Stripe’s, where a seller proves who they are and enters a bank account. Nothing here is real:
choose what Stripe is to answer.</p>
<p>Account of ${escapeHtml(contact.display_name ?? contact.contact_email ?? id)}</p>
<form method="post">
<fieldset>
<legend>Bank account, routing number ${ROUTING_NUMBER}</legend>
${choices.join('\n')}
</fieldset>
<button name="outcome" value="pass">Pass: the account can receive transfers</button>
<button name="outcome" value="ask">Ask for more: the photo of the identity document was not readable</button>
<button name="outcome" value="refuse">Refuse: Stripe does not accept the account</button>
<button name="outcome" value="leave">Return without an answer</button>
</form>
</main>
</body>
</html>
`;
}

/**
 * Serves the hosted onboarding. A link can be opened once: it leads to the address of the visit, which can be reloaded
 * until the form is sent. Used and expired links lead to the refresh URL, as Stripe's do.
 */
export async function serveOnboarding(
  app: FastifyInstance,
  { store, afterCall }: { store: Store; afterCall(): void },
): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    });
  });

  const notFound = (reply: FastifyReply) =>
    reply.code(404).type('text/plain').send('There is no such link. Open the page again from the shop.\n');
  const findVisit = (visit: string) => store.all('accountLink').find((link) => link.visit === visit);
  const accountOf = (link: AccountLink) => {
    const account = store.find('account', link.account);
    return account?.closed === false && !link.completed ? account : undefined;
  };

  app.get<{ Params: { id: string } }>('/onboarding/:id', async (request, reply) => {
    const link = store.find('accountLink', request.params.id);
    if (link === undefined) return notFound(reply);
    const visit = store.run(() => openLink(store, link));
    return reply.redirect(visit === null ? link.refreshUrl : `/onboarding/visits/${visit}`, 302);
  });

  app.get<{ Params: { visit: string } }>('/onboarding/visits/:visit', async (request, reply) => {
    const link = findVisit(request.params.visit);
    if (link === undefined) return notFound(reply);
    const account = accountOf(link);
    if (account === undefined) return reply.redirect(link.refreshUrl, 302);
    // Browsers apply `form-action` to the redirect after the form as well.
    const target = new URL(link.returnUrl ?? link.refreshUrl).origin;
    return reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', contentSecurityPolicy("'none'", `'self' ${target}`))
      .send(renderPage(account));
  });

  app.post<{ Params: { visit: string } }>('/onboarding/visits/:visit', async (request, reply) => {
    const link = findVisit(request.params.visit);
    if (link === undefined) return notFound(reply);
    const account = accountOf(link);
    if (account === undefined) return reply.redirect(link.refreshUrl, 303);
    const given = answer.safeParse(request.body);
    if (!given.success) return reply.redirect(request.url, 303);
    const { outcome, bank_account: bankAccount } = given.data;
    store.run(() => {
      store.put({ ...link, completed: true });
      if (outcome !== 'leave') completeOnboarding(store, account, outcome, bankAccount);
    });
    afterCall();
    return reply.redirect(link.returnUrl ?? link.refreshUrl, 303);
  });
}
