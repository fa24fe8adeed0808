import { exchangeToken, TOKEN_KEY } from '#contract/accounts.ts';
import { type Client, createClient } from '#contract/client.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The signed-in person as the identity provider knows them: what the shop's token needs of it. */
interface Identity {
  readonly email: string;
  getIdToken(forceRefresh?: boolean): Promise<string>;
}

export interface ShopToken {
  read(): string | null;
  forget(): void;
  /** Makes sure that the token kept belongs to this identity's present ID token. @throws Problem, IdentityError */
  exchange(identity: Identity, force?: boolean): Promise<void>;
}

/** Calls that prove an identity, before or beside having the shop's token. */
export function clientProving(idToken: string, fetch: Fetch): Client {
  return createClient({ base: '/api', fetch, token: () => idToken, timeout: 15_000 });
}

/** The shop's token in local storage, or in memory where storage is forbidden or full. */
export function createShopToken(options: {
  fetch: Fetch;
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}): ShopToken {
  /** What storage did not take: newer than whatever lies there. */
  let memory: string | null = null;
  let underWay: { idToken: string; result: Promise<void> } | null = null;
  let exchanged: string | null = null;

  function read(): string | null {
    if (memory !== null) return memory;
    try {
      return options.storage().getItem(TOKEN_KEY);
    } catch {
      return null;
    }
  }

  function keep(token: string | null) {
    memory = null;
    try {
      if (token === null) options.storage().removeItem(TOKEN_KEY);
      else options.storage().setItem(TOKEN_KEY, token);
    } catch {
      // The token lasts as long as the page.
      memory = token;
    }
  }

  async function ask(idToken: string, email: string): Promise<void> {
    const answer = await clientProving(idToken, options.fetch).call(exchangeToken, { query: { email } });
    // Somebody else may have signed in, or nobody be left, while the answer was on its way.
    if (underWay?.idToken !== idToken) return;
    exchanged = idToken;
    keep(answer.coomercioToken);
  }

  return {
    read,
    forget() {
      underWay = null;
      exchanged = null;
      keep(null);
    },
    async exchange(identity, force = false) {
      const idToken = await identity.getIdToken(force);
      if (!force && idToken === exchanged && read() !== null) return;
      if (underWay?.idToken !== idToken) {
        const result = ask(idToken, identity.email).finally(() => {
          if (underWay?.result === result) underWay = null;
        });
        underWay = { idToken, result };
      }
      await underWay.result;
    },
  };
}
