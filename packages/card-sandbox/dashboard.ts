import type { Store } from './storage/store.ts';

const MAXIMUM_ROWS = 50;

/** Renders the latest payments, refunds and disputes as an HTML page. */
export function renderDashboard(store: Store): string {
  const intents = store.all('intent').slice(-MAXIMUM_ROWS).reverse();
  const refunds = store.all('refund').slice(-MAXIMUM_ROWS).reverse();
  const disputes = store.all('dispute').slice(-MAXIMUM_ROWS).reverse();
  const paymentRows = intents.map((intent) => {
    const charge = intent.latestCharge === null ? undefined : store.find('charge', intent.latestCharge);
    const method = charge && store.find('paymentMethod', charge.paymentMethod);
    const isRefunded = charge !== undefined && charge.amountRefunded > 0;
    const dispute = charge?.dispute ? store.find('dispute', charge.dispute) : undefined;
    const state = isRefunded
      ? `refunded ${formatMoney(charge.amountRefunded, intent.currency)}`
      : intent.status;
    const shownState = dispute === undefined ? state : `disputed, ${dispute.status}`;
    return row([
      formatMoney(intent.amount, intent.currency),
      shownState.replaceAll('_', ' '),
      method === undefined ? '' : `${method.brand} ${method.last4}`,
      intent.lastError?.message ?? intent.description ?? '',
      formatTime(intent.created),
      intent.id,
    ]);
  });
  const refundRows = refunds.map((refund) =>
    row([
      formatMoney(refund.amount, refund.currency),
      refund.status,
      (refund.reason ?? '').replaceAll('_', ' '),
      formatTime(refund.created),
      refund.intent,
      refund.id,
    ]),
  );
  const disputeRows = disputes.map((dispute) =>
    row([
      formatMoney(dispute.amount, dispute.currency),
      dispute.status.replaceAll('_', ' '),
      formatTime(dispute.dueBy),
      formatTime(dispute.created),
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
<p>No real money moves here. The latest ${MAXIMUM_ROWS} of each, newest first.</p>
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

function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
