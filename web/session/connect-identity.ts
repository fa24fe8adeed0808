import type { IdentityProvider } from './identity-provider.ts';

export function connectIdentity(_url: string): IdentityProvider {
  throw new Error('pending');
}
