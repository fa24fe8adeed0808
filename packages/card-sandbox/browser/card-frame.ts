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
import { applyStyle, loadFonts } from './card-style.ts';
import { openChannel, part } from './frame-channel.ts';
import {
  type CardOptions,
  type CardProblem,
  callApi,
  encodeForm,
  type FormTree,
  type FromCard,
  type ToCard,
} from './messages.ts';

const channel = openChannel<ToCard, FromCard>();
const form = part('#card', HTMLFormElement);
const icon = part('#icon', SVGSVGElement);
const mark = part('#mark', SVGTextElement);
const announcement = part('#problem', HTMLElement);
const number = part('[name=cardnumber]', HTMLInputElement);
const expiry = part('[name=exp-date]', HTMLInputElement);
const code = part('[name=cvc]', HTMLInputElement);
const postal = part('[name=postal]', HTMLInputElement);

const marks: Record<string, string> = {
  visa: 'VISA',
  amex: 'AMEX',
  discover: 'DISCOVER',
  diners: 'DINERS',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

type Field = { input: HTMLInputElement; check(): Check; format(text: string, deleting: boolean): string };

const all: Field[] = [
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

/** Fields whose incompleteness the person has been told of: left, or asked for by a payment. */
const judged = new Set<HTMLInputElement>();
let lastState = '';

const shownFields = () => all.filter((field) => !field.input.hidden);

function problemIn(field: Field): CardProblem | undefined {
  const check = field.check();
  if (check.state === 'complete') return undefined;
  if (check.state !== 'invalid' && !judged.has(field.input)) return undefined;
  return { code: check.problem, type: 'validation_error', message: messages[check.problem] };
}

/** Shows each field's state, and tells the page when anything has changed. */
function refresh(): void {
  const brand = brandOf(number.value);
  icon.dataset.brand = brand;
  mark.textContent = marks[brand] ?? '';
  let first: CardProblem | undefined;
  for (const field of shownFields()) {
    const { state } = field.check();
    const problem = problemIn(field);
    first ??= problem;
    field.input.classList.toggle('complete', state === 'complete');
    field.input.classList.toggle('empty', state === 'empty');
    field.input.classList.toggle('invalid', problem !== undefined);
    field.input.setAttribute('aria-invalid', String(problem !== undefined));
    if (problem === undefined) field.input.removeAttribute('aria-describedby');
    else field.input.setAttribute('aria-describedby', 'problem');
  }
  if (announcement.textContent !== (first?.message ?? '')) announcement.textContent = first?.message ?? '';
  const fields = shownFields();
  const state = {
    elementType: 'card' as const,
    brand,
    complete: fields.every((field) => field.check().state === 'complete'),
    empty: fields.every((field) => field.check().state === 'empty'),
    error: first,
    value: { postalCode: postal.value },
  };
  const text = JSON.stringify(state);
  if (text === lastState) return;
  lastState = text;
  channel.send({ type: 'change', state });
}

/** Formats what was typed and keeps the caret behind the digit it stood behind. */
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

function neighbour(input: HTMLInputElement, step: 1 | -1): HTMLInputElement | undefined {
  const inputs = shownFields().map((field) => field.input);
  return inputs[inputs.indexOf(input) + step];
}

for (const field of all) {
  const { input } = field;
  input.addEventListener('input', (event) => {
    const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    reformat(field, deleting);
    judged.delete(input);
    refresh();
    const typedAtEnd = !deleting && input.selectionStart === input.value.length;
    if (document.activeElement === input && typedAtEnd && field.check().state === 'complete') {
      neighbour(input, 1)?.focus();
    }
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') channel.send({ type: 'escape' });
    if (event.key === 'Backspace' && input.value === '') {
      // Going back to what was just completed is what one means by deleting in an empty field.
      neighbour(input, -1)?.focus();
      event.preventDefault();
    }
  });
  input.addEventListener('blur', () => {
    const { state } = field.check();
    if (state === 'incomplete') judged.add(input);
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
  if (options.hidePostalCode !== undefined) postal.hidden = options.hidePostalCode;
  if (options.hideIcon !== undefined) icon.toggleAttribute('hidden', options.hideIcon);
  if (options.value?.postalCode !== undefined) postal.value = digitsOf(options.value.postalCode).slice(0, 5);
  if (options.disabled !== undefined) for (const { input } of all) input.disabled = options.disabled;
  refresh();
}

/** Adds the card to the page's parameters and sends both to the stand-in: the card goes nowhere else. */
async function post(ask: number, path: string, parameters: FormTree): Promise<void> {
  for (const { input } of shownFields()) judged.add(input);
  refresh();
  const wrong = shownFields().find((field) => field.check().state !== 'complete');
  if (wrong !== undefined) {
    wrong.input.focus();
    channel.send({ type: 'answer', ask, answer: { ok: false, body: { error: problemIn(wrong) } } });
    return;
  }
  const { month, year } = expiryOf(expiry.value);
  const card = { number: digitsOf(number.value), exp_month: month, exp_year: year, cvc: code.value };
  const within = parameters.payment_method_data;
  const whole =
    typeof within === 'object' && within !== null
      ? { ...parameters, payment_method_data: withCard(within, card) }
      : withCard(parameters, card);
  const answer = await callApi(path, encodeForm(whole));
  channel.send({ type: 'answer', ask, answer });
}

function withCard(data: FormTree, card: FormTree): FormTree {
  const billing = data.billing_details;
  const given = typeof billing === 'object' && billing !== null ? billing : {};
  const address = typeof given.address === 'object' && given.address !== null ? given.address : {};
  const postalCode = postal.hidden ? address.postal_code : postal.value;
  return { ...data, card, billing_details: { ...given, address: { ...address, postal_code: postalCode } } };
}

channel.listen((message) => {
  switch (message.type) {
    case 'start':
      applyStyle({});
      loadFonts(message.fonts);
      applyOptions(message.options);
      channel.send({ type: 'ready' });
      break;
    case 'update':
      applyOptions(message.options);
      break;
    case 'focus':
      (shownFields().find((field) => field.check().state !== 'complete')?.input ?? number).focus();
      break;
    case 'blur':
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      break;
    case 'clear':
      for (const { input } of all) input.value = '';
      judged.clear();
      refresh();
      break;
    case 'post':
      void post(message.ask, message.path, message.parameters);
      break;
  }
});

new ResizeObserver(() =>
  channel.send({ type: 'height', pixels: Math.ceil(form.getBoundingClientRect().height) }),
).observe(form);
channel.send({ type: 'listening' });
