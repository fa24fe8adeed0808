import { openChannel, part } from './frame-channel.ts';
import { callApi, encodeForm, type FromAuthentication, type ToAuthentication } from './messages.ts';

const channel = openChannel<ToAuthentication, FromAuthentication>();
const key = channel.address.get('key') ?? '';
const intent = encodeURIComponent(channel.address.get('intent') ?? '');
const clientSecret = channel.address.get('clientSecret') ?? '';
const pass = part('#test-source-authorize-3ds', HTMLButtonElement);
const refuse = part('#test-source-fail-3ds', HTMLButtonElement);
const problem = part('#problem', HTMLElement);
let busy = false;

async function report(outcome: 'complete' | 'fail'): Promise<void> {
  if (busy) return;
  setBusy(true);
  const form = encodeForm({ key, client_secret: clientSecret, outcome });
  const answer = await callApi(`/authentication/${intent}`, form);
  // A declined card or a cancelled payment has its own sentence on the shop's page.
  if (answer.ok || !isConnectionProblem(answer.body)) {
    channel.send({ type: 'finished' });
    return;
  }
  problem.textContent = 'The bank cannot be reached. Please try again.';
  setBusy(false);
}

function isConnectionProblem(body: Record<string, unknown>): boolean {
  const { error } = body;
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : null;
  return type === 'api_connection_error' || type === 'api_error';
}

function setBusy(on: boolean): void {
  busy = on;
  // Not `disabled`: that would let the focus fall out of the dialog.
  for (const button of [pass, refuse]) button.setAttribute('aria-disabled', String(on));
}

async function showAmount(): Promise<void> {
  const query = new URLSearchParams({ key, client_secret: clientSecret });
  const { ok, body } = await callApi(`/v1/payment_intents/${intent}?${query}`);
  const { amount, currency } = body;
  if (!ok || typeof amount !== 'number' || typeof currency !== 'string') return;
  part('#amount', HTMLElement).textContent = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
  }).format(amount / 100);
}

pass.addEventListener('click', () => void report('complete'));
refuse.addEventListener('click', () => void report('fail'));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') void report('fail');
  if (event.key !== 'Tab') return;
  // Two buttons: from either one, either way, Tab leads to the other and never out of the dialog.
  event.preventDefault();
  (document.activeElement === pass ? refuse : pass).focus();
});
channel.listen((message) => {
  if (message.type === 'fail') void report('fail');
});
// The page hands over the focus once this frame listens; not every browser lets a frame take it.
window.addEventListener('focus', () => {
  if (document.activeElement !== refuse) pass.focus();
});
channel.send({ type: 'listening' });
void showAmount();
