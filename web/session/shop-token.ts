import * as z from 'zod/mini';
import { exchangeToken, TOKEN_KEY } from '#contract/accounts.ts';
import { type Client, createClient } from '#contract/client.ts';
import { parseJson } from '#contract/json.ts';

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

/** The lock under which a tab exchanges an ID token, and the key of the note about the last exchange. */
const EXCHANGE = `${TOKEN_KEY}:exchange`;

/** Milliseconds for which a tab takes the token that another one has got for the same ID token. */
const TAKEN_WITHIN = 30_000;

/** What a tab leaves for the others: for which ID token it got the shop's token, and when, by this device's clock. */
const Note = z.object({ proof: z.string(), at: z.number() });

/** The signature of an ID token, which names it without being of use to anybody. */
const proofOf = (idToken: string) => idToken.slice(idToken.lastIndexOf('.') + 1);

/**
 * The shop's token in local storage, or in memory where storage is forbidden or full. All tabs learn of a new ID token
 * at the same moment: one of them exchanges it, and the others take the token that it has got.
 */
export function createShopToken(options: {
  fetch: Fetch;
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Does one piece of work while no other tab does its own under that name. */
  withLock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
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

  function keep(token: string | null, idToken = '') {
    memory = null;
    try {
      const storage = options.storage();
      if (token === null) {
        storage.removeItem(TOKEN_KEY);
        storage.removeItem(EXCHANGE);
      } else {
        storage.setItem(TOKEN_KEY, token);
        storage.setItem(EXCHANGE, JSON.stringify({ proof: proofOf(idToken), at: Date.now() }));
      }
    } catch {
      // The token lasts as long as the page.
      memory = token;
    }
  }

  /** Whether another tab has just got the token in storage for this ID token. */
  function isTaken(idToken: string, refused: string | null): boolean {
    const token = read();
    if (memory !== null || token === null || token === refused) return false;
    try {
      const { success, data } = Note.safeParse(parseJson(options.storage().getItem(EXCHANGE) ?? ''));
      const age = Date.now() - (data?.at ?? 0);
      return success && data.proof === proofOf(idToken) && age >= 0 && age < TAKEN_WITHIN;
    } catch {
      return false;
    }
  }

  async function ask(idToken: string, email: string, refused: string | null): Promise<void> {
    if (isTaken(idToken, refused)) {
      exchanged = idToken;
      return;
    }
    const answer = await clientProving(idToken, options.fetch).call(exchangeToken, { query: { email } });
    // Somebody else may have signed in, or nobody be left, while the answer was on its way.
    if (underWay?.idToken !== idToken) return;
    exchanged = idToken;
    keep(answer.coomercioToken, idToken);
  }

  return {
    read,
    forget() {
      underWay = null;
      exchanged = null;
      keep(null);
    },
    async exchange(identity, force = false) {
      // Forced because the shop has refused the present token: that one is not taken again.
      const refused = force ? read() : null;
      const idToken = await identity.getIdToken(force);
      if (!force && idToken === exchanged && read() !== null) return;
      if (underWay?.idToken !== idToken) {
        const work = () => ask(idToken, identity.email, refused);
        const result = options.withLock(EXCHANGE, work).finally(() => {
          if (underWay?.result === result) underWay = null;
        });
        underWay = { idToken, result };
      }
      await underWay.result;
    },
  };
}
