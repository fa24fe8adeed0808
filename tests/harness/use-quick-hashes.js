// Makes a process that starts with `--import` of this file use quick password hashes. The first Node of `npm start` may be an old
// one without the hooks; the shop runs on the lock file's.
import * as module from 'node:module';

module.registerHooks?.({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(
      specifier === 'better-auth/crypto' ? new URL('quick-hashes.ts', import.meta.url).href : specifier,
      context,
    ),
});
