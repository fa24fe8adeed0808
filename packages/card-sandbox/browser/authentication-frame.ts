import { openFrameChannel, requireElement } from './frame-channel.ts';
import { callApi, encodeForm, type FromAuthentication, type ToAuthentication } from './messages.ts';

const channel = openFrameChannel<ToAuthentication, FromAuthentication>();
const key = channel.parameters.get('key') ?? '';
const intent = encodeURIComponent(channel.parameters.get('intent') ?? '');
const clientSecret = channel.parameters.get('clientSecret') ?? '';
const completeButton = requireElement('#test-source-authorize-3ds', HTMLButtonElement);
const failButton = requireElement('#test-source-fail-3ds', HTMLButtonElement);
const problem = requireElement('#problem', HTMLElement);
let isBusy = false;

async function report(outcome: 'complete' | 'fail'): Promise<void> {
  if (isBusy) return;
  setBusy(true);
  const form = encodeForm({ key, client_secret: clientSecret, outcome });
  const response = await callApi(`/authentication/${intent}`, form);
  // The page shows a declined card or a cancelled payment.
  if (response.ok || !isConnectionProblem(response.body)) {
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
  isBusy = on;
  // Not `disabled`, because a disabled button loses the focus to the page behind the dialog.
  for (const button of [completeButton, failButton]) button.setAttribute('aria-disabled', String(on));
}

async function showAmount(): Promise<void> {
  const query = new URLSearchParams({ key, client_secret: clientSecret });
  const { ok, body } = await callApi(`/v1/payment_intents/${intent}?${query}`);
  const { amount, currency } = body;
  if (!ok || typeof amount !== 'number' || typeof currency !== 'string') return;
  requireElement('#amount', HTMLElement).textContent = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
  }).format(amount / 100);
}

completeButton.addEventListener('click', () => void report('complete'));
failButton.addEventListener('click', () => void report('fail'));
// The HTML disables them, so that no click before this script is lost.
for (const button of [completeButton, failButton]) button.disabled = false;
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') void report('fail');
  if (event.key !== 'Tab') return;
  // Keeps the focus in the dialog: Tab and Shift+Tab move between its two buttons.
  event.preventDefault();
  (document.activeElement === completeButton ? failButton : completeButton).focus();
});
channel.listen((message) => {
  if (message.type === 'fail') void report('fail');
});
// The page focuses this frame once it listens, because not every browser lets a frame take the focus.
window.addEventListener('focus', () => {
  if (document.activeElement !== failButton) completeButton.focus();
});
channel.send({ type: 'listening' });
void showAmount();
