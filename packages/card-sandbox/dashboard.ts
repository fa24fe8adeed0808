import { escapeHtml } from './html.ts';
import { formatMoney } from './resources/currencies.ts';
import { type Balance, balancesOf } from './resources/movements.ts';
import type { Store } from './storage/store.ts';

const MAXIMUM_ROWS = 50;

/** Renders the latest payments, refunds, disputes, accounts, transfers, payouts and movements as an HTML page. */
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
  const accounts = latest(store.all('account')).map((account) => [
    formatState(account.closed ? 'closed' : account.transfers.status),
    account.displayName ?? account.email ?? '',
    formatBalances(balancesOf(store, account.id), (balance) => balance.available + balance.pending),
    account.bankAccount ?? 'none',
    formatTime(account.created),
    account.id,
  ]);
  const transfers = latest(store.all('transfer')).map((transfer) => [
    formatMoney(transfer.amount, transfer.currency),
    transfer.amountReversed === 0 ? '' : formatMoney(transfer.amountReversed, transfer.currency),
    transfer.destination,
    formatTime(transfer.created),
    transfer.id,
  ]);
  const payouts = latest(store.all('payout')).map((payout) => [
    formatMoney(payout.amount, payout.currency),
    formatState(payout.failureCode === null ? payout.status : `failed, ${payout.failureCode}`),
    payout.account ?? 'platform',
    formatTime(payout.created),
    payout.id,
  ]);
  const movements = latest(store.all('movement')).map((movement) => [
    formatMoney(movement.amount, movement.currency),
    formatMoney(movement.fee, movement.currency),
    formatState(movement.reportingCategory),
    movement.account ?? 'platform',
    formatTime(movement.created),
    movement.source ?? '',
  ]);
  const balances = balancesOf(store, null);
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
${table('Connected accounts', ['State', 'Name', 'Balance', 'Bank account', 'Created', 'Id'], accounts)}
${table('Transfers', ['Amount', 'Reversed', 'Account', 'Created', 'Id'], transfers)}
${table('Payouts', ['Amount', 'State', 'Account', 'Created', 'Id'], payouts)}
${table('Balance transactions', ['Amount', 'Fee', 'Kind', 'Account', 'Created', 'Source'], movements)}
<p>Balance of the platform: ${formatBalances(balances, ({ available }) => available)} available, ${formatBalances(balances, ({ pending }) => pending)} pending.</p>
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

const formatState = (state: string) => state.replaceAll('_', ' ');

function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function formatBalances(balances: Map<string, Balance>, amountOf: (balance: Balance) => number): string {
  return [...balances].map(([currency, balance]) => formatMoney(amountOf(balance), currency)).join(', ');
}
