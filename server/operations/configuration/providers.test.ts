import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { contentSecuritySources, type Providers, toSettings } from './providers.ts';

const providers: Providers = {
  cards: { secretKey: 'sk', publishableKey: 'pk', webhookSecret: 'whsec', apiUrl: null, scriptUrl: null },
  google: null,
  carriers: null,
  sms: null,
  smtpUrl: 'smtp://127.0.0.1:1025',
};

/** What browsers are told to call, and what the policy of the pages lets them call. */
function toldAndAllowed(environment: Record<string, string>) {
  const config = readConfig(environment);
  const { identity, photos } = toSettings(config, providers, 'photo-key');
  const told = [identity.url, photos.uploadUrl].map((url) => new URL(url, config.origin).origin);
  return { told, allowed: contentSecuritySources(config, providers).connectSources };
}

describe('the Content-Security-Policy allows every provider in the settings:', () => {
  test.each([
    ['the built-in ones', {}],
    [
      'another identity provider',
      {
        IDENTITY_ISSUER: 'https://id.example/identity',
        IDENTITY_KEYS_URL: 'https://keys.example/identity/jwks',
      },
    ],
    ['another image host', { IMAGE_HOST_URL: 'https://img.example/1/upload', IMAGE_HOST_KEY: 'img-key' }],
  ])('%s', (_which, environment) => {
    const { told, allowed } = toldAndAllowed(environment);
    expect(allowed).toEqual(expect.arrayContaining(told));
  });
});
