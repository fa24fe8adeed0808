import { browserEnvironment } from '#web/session/identity/browser.ts';
import { createIdentityClient } from '#web/session/identity/client.ts';
import { IdentityError } from '#web/session/identity/errors.ts';

// Reached from `localhost` too, where the provider is another origin.
const provider = `http://127.0.0.1:${location.port}/identity`;
const client = createIdentityClient(provider, browserEnvironment(), () => {
  const state = client.state();
  if (state !== null) show('user', state.user?.email ?? 'nobody');
});

function show(id: string, text: string): void {
  document.querySelector(`#${id}`)?.replaceChildren(text);
}
function on(id: string, act: () => Promise<unknown>): void {
  document.querySelector(`#${id}`)?.addEventListener('click', () => {
    act().catch((error: unknown) =>
      show('failure', error instanceof IdentityError ? error.code : String(error)),
    );
  });
}

on('register', () => client.createUserWithEmailAndPassword('guest1@mail.example', 'Orchid#7Lantern'));
on('google', () => client.signInWithGoogle());
on('leave', () => client.signOut());
