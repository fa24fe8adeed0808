#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
import { parseArgs } from 'node:util';
import { type CardSandboxOptions, startCardSandbox } from './index.ts';

const usage = `Usage: card-sandbox [options]

A local server that speaks the part of the Stripe API that card payments and marketplaces need.

  --port NUMBER            TCP port, 0 for any free one         (default: 12111)
  --host ADDRESS           address to listen on                 (default: 127.0.0.1)
  --data FOLDER            folder of the state                  (default: .card-sandbox)
  --webhook-url URL        where to post events                 (default: nowhere, they stay pending)
  --secret-key KEY         key of your server                   (default: sk_test_sandbox)
  --publishable-key KEY    key of your pages                    (default: pk_test_sandbox)
  --webhook-secret SECRET  secret that signs webhooks           (default: whsec_sandbox)
  --delay MILLISECONDS     until refunds, disputes and payouts change  (default: 5000)
  --payouts INTERVAL       of the platform: daily, weekly, monthly, manual  (default: daily)
  --settlement CURRENCY=RATE  settles payments in other currencies in this one, such as eur=0.92
  --help                   print this text
`;

function wholeNumber(option: string, text: string, maximum: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= maximum) return Number(text);
  throw new Error(`${option} needs a whole number from 0 to ${maximum}, not ${text}.`);
}

function interval(text: string): NonNullable<CardSandboxOptions['payouts']> {
  for (const known of ['daily', 'weekly', 'monthly', 'manual'] as const) if (text === known) return known;
  throw new Error(`--payouts needs daily, weekly, monthly or manual, not ${text}.`);
}

function settlement(text: string): NonNullable<CardSandboxOptions['settlement']> {
  const [, currency, rate] = /^([a-z]{3})=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (currency !== undefined && Number(rate) > 0) return { currency, exchangeRate: Number(rate) };
  throw new Error(`--settlement needs a currency and its rate such as eur=0.92, not ${text}.`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '12111' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string', default: '.card-sandbox' },
      'webhook-url': { type: 'string' },
      'secret-key': { type: 'string', default: 'sk_test_sandbox' },
      'publishable-key': { type: 'string', default: 'pk_test_sandbox' },
      'webhook-secret': { type: 'string', default: 'whsec_sandbox' },
      delay: { type: 'string' },
      payouts: { type: 'string' },
      settlement: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const webhookUrl = values['webhook-url'];
  if (webhookUrl !== undefined && !URL.canParse(webhookUrl)) {
    throw new Error(`--webhook-url needs a URL, not ${webhookUrl}.`);
  }
  const options = {
    port: wholeNumber('--port', values.port, 65_535),
    host: values.host,
    dataFolder: values.data,
    secretKey: values['secret-key'],
    publishableKey: values['publishable-key'],
    webhookSecret: values['webhook-secret'],
    ...(webhookUrl !== undefined && { webhookUrl }),
    ...(values.payouts !== undefined && { payouts: interval(values.payouts) }),
    ...(values.settlement !== undefined && { settlement: settlement(values.settlement) }),
    ...(values.delay !== undefined && { delay: wholeNumber('--delay', values.delay, 2 ** 31 - 1) }),
  };
  const sandbox = await startCardSandbox(options);
  process.stdout.write(`Dashboard        ${sandbox.origin}/
API              ${sandbox.origin}/v1
Browser library  ${sandbox.origin}/stripe.js
Secret key       ${options.secretKey}
Publishable key  ${options.publishableKey}
Webhook secret   ${options.webhookSecret}
Webhooks go to   ${webhookUrl ?? 'nowhere (--webhook-url)'}
`);
  const stop = () => void sandbox.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
