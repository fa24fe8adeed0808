import type { Ledger } from './storage/store.ts';

const shown = 50;

/** The money as a person wants to see it: the latest payments, refunds and disputes, as a page of HTML. */
export function renderDashboard(ledger: Ledger): string {
  const intents = ledger.all('intent').slice(-shown).reverse();
  const refunds = ledger.all('refund').slice(-shown).reverse();
  const disputes = ledger.all('dispute').slice(-shown).reverse();
  const paymentRows = intents.map((intent) => {
    const charge = intent.latestCharge === null ? undefined : ledger.find('charge', intent.latestCharge);
    const method = charge && ledger.find('paymentMethod', charge.paymentMethod);
    const returned = charge !== undefined && charge.amountRefunded > 0;
    const dispute = charge?.dispute ? ledger.find('dispute', charge.dispute) : undefined;
    const taken = returned ? `refunded ${money(charge.amountRefunded, intent.currency)}` : intent.status;
    const state = dispute === undefined ? taken : `disputed, ${dispute.status}`;
    return row([
      money(intent.amount, intent.currency),
      state.replaceAll('_', ' '),
      method === undefined ? '' : `${method.brand} ${method.last4}`,
      intent.lastError?.message ?? intent.description ?? '',
      moment(intent.created),
      intent.id,
    ]);
  });
  const refundRows = refunds.map((refund) =>
    row([
      money(refund.amount, refund.currency),
      refund.status,
      (refund.reason ?? '').replaceAll('_', ' '),
      moment(refund.created),
      refund.intent,
      refund.id,
    ]),
  );
  const disputeRows = disputes.map((dispute) =>
    row([
      money(dispute.amount, dispute.currency),
      dispute.status.replaceAll('_', ' '),
      moment(dispute.dueBy),
      moment(dispute.created),
      dispute.intent,
      dispute.id,
    ]),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Card processor stand-in</title>
<link rel="stylesheet" href="/browser/dashboard.css">
</head>
<body>
<main>
<h1>Card processor stand-in</h1>
<p>No real money moves here. The latest ${shown} of each, newest first.</p>
${table('Payments', ['Amount', 'State', 'Card', 'About', 'Created', 'Id'], paymentRows)}
${table('Refunds', ['Amount', 'State', 'Reason', 'Created', 'Payment', 'Id'], refundRows)}
${table('Disputes', ['Amount', 'State', 'Evidence until', 'Created', 'Payment', 'Id'], disputeRows)}
</main>
</body>
</html>
`;
}

function table(title: string, columns: string[], rows: string[]): string {
  if (rows.length === 0) return `<h2>${title}</h2><p>None yet.</p>`;
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  return `<h2>${title}</h2>
<div class="scroller" role="region" aria-label="${title}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

function row(cells: string[]): string {
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function money(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

function moment(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
