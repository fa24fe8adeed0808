import { signUp } from '#contract/identity/sign-in.ts';
import { createIdentityClient } from '#web/session/identity/client.ts';
import { browserEnvironment } from '#web/session/identity/environment.ts';
import { IdentityError } from '#web/session/identity/errors.ts';
import { initialState, reduce } from '#web/session/session-state.ts';

// Pages at `localhost` use it too, as another origin.
const provider = `http://127.0.0.1:${location.port}/identity`;
let state = initialState;
const client = createIdentityClient(provider, browserEnvironment, {
  state: () => state,
  dispatch(event) {
    state = reduce(state, event);
    setText('user', state.signIn?.profile.email ?? 'nobody');
  },
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
