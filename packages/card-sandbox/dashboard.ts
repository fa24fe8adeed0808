import type { Store } from './storage/store.ts';

const MAXIMUM_ROWS = 50;

/** Renders the latest payments, refunds and disputes as an HTML page. */
export function renderDashboard(store: Store): string {
  const latest = <R>(records: R[]) => records.slice(-MAXIMUM_ROWS).reverse();
  const payments = latest(store.all('intent')).map((intent) => {
    const charge = intent.latestCharge === null ? undefined : store.find('charge', intent.latestCharge);
    const method = charge && store.find('paymentMethod', charge.paymentMethod);
    const dispute = charge?.dispute ? store.find('dispute', charge.dispute) : undefined;
    const state = charge?.amountRefunded
      ? `refunded ${formatMoney(charge.amountRefunded, intent.currency)}`
      : intent.status;
    return [
      formatMoney(intent.amount, intent.currency),
      formatState(dispute === undefined ? state : `disputed, ${dispute.status}`),
      method === undefined ? '' : `${method.brand} ${method.last4}`,
      intent.lastError?.message ?? intent.description ?? '',
      formatTime(intent.created),
      intent.id,
    ];
  });
  const refunds = latest(store.all('refund')).map((refund) => [
    formatMoney(refund.amount, refund.currency),
    refund.status,
    formatState(refund.reason ?? ''),
    formatTime(refund.created),
    refund.intent,
    refund.id,
  ]);
  const disputes = latest(store.all('dispute')).map((dispute) => [
    formatMoney(dispute.amount, dispute.currency),
    formatState(dispute.status),
    formatTime(dispute.dueBy),
    formatTime(dispute.created),
    dispute.intent,
    dispute.id,
  ]);
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
${table('Payments', ['Amount', 'State', 'Card', 'About', 'Created', 'Id'], payments)}
${table('Refunds', ['Amount', 'State', 'Reason', 'Created', 'Payment', 'Id'], refunds)}
${table('Disputes', ['Amount', 'State', 'Evidence until', 'Created', 'Payment', 'Id'], disputes)}
</main>
</body>
</html>
`;
}

function table(title: string, columns: string[], rows: string[][]): string {
  if (rows.length === 0) return `<h2>${title}</h2><p>None yet.</p>`;
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const body = rows.map(
    (cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`,
  );
  return `<h2>${title}</h2>
<div class="scroller" role="region" aria-label="${title}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const formatState = (state: string) => state.replaceAll('_', ' ');

function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100);
}

function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
