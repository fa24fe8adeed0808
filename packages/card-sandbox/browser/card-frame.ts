import {
  brandOf,
  type Check,
  checkCode,
  checkExpiry,
  checkNumber,
  checkPostalCode,
  codeLength,
  digitsOf,
  expiryOf,
  formatExpiry,
  formatNumber,
  messages,
} from './card-rules.ts';
import { applyStyle } from './card-style.ts';
import { openFrameChannel, requireElement } from './frame-channel.ts';
import {
  type CardOptions,
  type CardProblem,
  callApi,
  encodeForm,
  type FormTree,
  type FromCard,
  type ToCard,
} from './messages.ts';

const channel = openFrameChannel<ToCard, FromCard>();
const form = requireElement('#card', HTMLFormElement);
const announcement = requireElement('#problem', HTMLElement);
const number = requireElement('[name=cardnumber]', HTMLInputElement);
const expiry = requireElement('[name=exp-date]', HTMLInputElement);
const code = requireElement('[name=cvc]', HTMLInputElement);
const postal = requireElement('[name=postal]', HTMLInputElement);

type Field = { input: HTMLInputElement; check(): Check; format(text: string, deleting: boolean): string };

const allFields: Field[] = [
  { input: number, check: () => checkNumber(number.value), format: formatNumber },
  { input: expiry, check: () => checkExpiry(expiry.value, new Date()), format: formatExpiry },
  {
    input: code,
    check: () => checkCode(code.value, brandOf(number.value)),
    format: (text) => digitsOf(text).slice(0, codeLength(brandOf(number.value))),
  },
  {
    input: postal,
    check: () => checkPostalCode(postal.value),
    format: (text) => digitsOf(text).slice(0, 5),
  },
];

/** Fields that show an error if incomplete: those that have lost the focus, and all of them after a payment was tried. */
const validated = new Set<HTMLInputElement>();
let lastState = '';

const firstIncomplete = () => allFields.find((field) => field.check().state !== 'complete');

function problemIn(field: Field): CardProblem | undefined {
  const check = field.check();
  if (check.state === 'complete') return undefined;
  if (check.state !== 'invalid' && !validated.has(field.input)) return undefined;
  return { code: check.problem, type: 'validation_error', message: messages[check.problem] };
}

/** Shows the state of each field, and notifies the page of a change. */
function refresh(): void {
  const first = allFields.map(problemIn).find((problem) => problem !== undefined);
  for (const field of allFields) {
    const problem = problemIn(field);
    field.input.classList.toggle('invalid', problem !== undefined);
    field.input.setAttribute('aria-invalid', String(problem !== undefined));
    if (problem === undefined) field.input.removeAttribute('aria-describedby');
    else field.input.setAttribute('aria-describedby', 'problem');
  }
  if (announcement.textContent !== (first?.message ?? '')) announcement.textContent = first?.message ?? '';
  const state = {
    elementType: 'card' as const,
    brand: brandOf(number.value),
    complete: allFields.every((field) => field.check().state === 'complete'),
    empty: allFields.every((field) => field.check().state === 'empty'),
    error: first,
    value: { postalCode: postal.value },
  };
  const text = JSON.stringify(state);
  if (text === lastState) return;
  lastState = text;
  channel.send({ type: 'change', state });
}

/** Formats the text of a field and keeps the caret behind the same digit. */
function reformat(field: Field, deleting: boolean): void {
  const { input } = field;
  const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
  const atEnd = input.selectionStart === input.value.length;
  const formatted = field.format(input.value, deleting);
  if (formatted === input.value) return;
  input.value = formatted;
  let caret = formatted.length;
  if (!atEnd) {
    caret = 0;
    for (let seen = 0; caret < formatted.length && seen < before; caret += 1) {
      if (/\d/.test(formatted.charAt(caret))) seen += 1;
    }
  }
  if (document.activeElement === input) input.setSelectionRange(caret, caret);
}

function adjacentInput(input: HTMLInputElement, step: 1 | -1): HTMLInputElement | undefined {
  const inputs = allFields.map((field) => field.input);
  return inputs[inputs.indexOf(input) + step];
}

for (const field of allFields) {
  const { input } = field;
  input.addEventListener('input', (event) => {
    const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    reformat(field, deleting);
    validated.delete(input);
    refresh();
    const typedAtEnd = !deleting && input.selectionStart === input.value.length;
    if (document.activeElement === input && typedAtEnd && field.check().state === 'complete') {
      adjacentInput(input, 1)?.focus();
    }
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') channel.send({ type: 'escape' });
    if (event.key === 'Backspace' && input.value === '') {
      // The focus moved here when the previous field was completed, so Backspace edits that one.
      adjacentInput(input, -1)?.focus();
      event.preventDefault();
    }
  });
  input.addEventListener('blur', () => {
    const { state } = field.check();
    if (state === 'incomplete') validated.add(input);
    refresh();
  });
}

form.addEventListener('focusin', (event) => {
  if (!(event.relatedTarget instanceof Node)) channel.send({ type: 'focus' });
});
form.addEventListener('focusout', (event) => {
  if (!(event.relatedTarget instanceof Node)) channel.send({ type: 'blur' });
});
form.addEventListener('submit', (event) => event.preventDefault());

function applyOptions(options: CardOptions): void {
  if (options.style !== undefined) applyStyle(options.style);
  if (options.disabled !== undefined) for (const { input } of allFields) input.disabled = options.disabled;
  refresh();
}

/** Sends the page's parameters with the card to the sandbox. The page never receives the card. */
async function post(requestId: number, path: string, parameters: FormTree): Promise<void> {
  for (const { input } of allFields) validated.add(input);
  refresh();
  const incomplete = firstIncomplete();
  if (incomplete !== undefined) {
    incomplete.input.focus();
    const response = { ok: false, body: { error: problemIn(incomplete) } };
    channel.send({ type: 'response', requestId, response });
    return;
  }
  const { month, year } = expiryOf(expiry.value);
  const card = { number: digitsOf(number.value), exp_month: month, exp_year: year, cvc: code.value };
  const data = withCard(asTree(parameters.payment_method_data), card);
  const response = await callApi(path, encodeForm({ ...parameters, payment_method_data: data }));
  channel.send({ type: 'response', requestId, response });
}

const asTree = (value: FormTree[string]): FormTree =>
  typeof value === 'object' && value !== null ? value : {};

function withCard(data: FormTree, card: FormTree): FormTree {
  const billingDetails = asTree(data.billing_details);
  const address = asTree(billingDetails.address);
  return {
    ...data,
    card,
    billing_details: { ...billingDetails, address: { ...address, postal_code: postal.value } },
  };
}

channel.listen((message) => {
  switch (message.type) {
    case 'start':
      applyStyle({});
      applyOptions(message.options);
      channel.send({ type: 'ready' });
      break;
    case 'update':
      applyOptions(message.options);
      break;
    case 'focus':
      (firstIncomplete()?.input ?? number).focus();
      break;
    case 'post':
      void post(message.requestId, message.path, message.parameters);
      break;
  }
});

new ResizeObserver(() =>
  channel.send({ type: 'height', pixels: Math.ceil(form.getBoundingClientRect().height) }),
).observe(form);
channel.send({ type: 'listening' });
