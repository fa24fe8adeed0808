import { signUp } from '#contract/identity/sign-in.ts';
import { createIdentityClient } from '#web/session/identity/client.ts';
import { browserEnvironment } from '#web/session/identity/environment.ts';
import { IdentityError } from '#web/session/identity/errors.ts';

// Pages at `localhost` use it too, as another origin.
const provider = `http://127.0.0.1:${location.port}/identity`;
const client = createIdentityClient(provider, browserEnvironment, {
  requestShopToken: () => Promise.reject(new Error('This page has no shop.')),
  onChange: (signIn) => setText('user', signIn?.profile.email ?? 'nobody'),
});

function setText(id: string, text: string): void {
  document.querySelector(`#${id}`)?.replaceChildren(text);
}
function onClick(id: string, action: () => Promise<unknown>): void {
  document.querySelector(`#${id}`)?.addEventListener('click', () => {
    action().catch((error: unknown) =>
      setText('failure', error instanceof IdentityError ? error.code : String(error)),
    );
  });
}

onClick('register', () =>
  client.call(signUp, { body: { email: 'guest1@mail.example', password: 'Orchid#7Lantern' } }),
);
onClick('google', () => client.signInWithGoogle());
onClick('leave', () => client.signOut());
