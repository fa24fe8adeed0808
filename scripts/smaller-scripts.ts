import { minify } from '@swc/core';
import type { Plugin } from 'vite';

/**
 * Minifies the browser's scripts a second time. Two minifiers find different things: it makes the scripts of the home page
 * 0.7 kB smaller, compressed.
 */
export function minifyAgain(): Plugin {
  return {
    name: 'minify-again',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const options = { compress: { passes: 3, ecma: 2022 }, format: { ecma: 2022 } } as const;
        file.code = (await minify(file.code, { module: true, mangle: true, ...options })).code;
      }
    },
  };
}

/**
 * Replaces each character above U+00FF in a script's text by its escape. The script's values stay the same, except what reads
 * its text: raw templates, `RegExp.source` and functions as text. No name may have a character above U+FFFF.
 */
export const escapeAboveLatin1 = (code: string): string =>
  code.replace(/(\\*)([^\0-\xff])/g, (_match, backslashes: string, character: string) => {
    // A backslash before the character has no meaning, and would escape the backslash of the escape sequence.
    const kept = backslashes.slice(backslashes.length % 2);
    return `${kept}\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/**
 * Escapes the characters above U+00FF in the server's scripts, such as typographic quotes. V8 keeps the text of a script in memory,
 * and takes two bytes for each of its characters if there is one of these, otherwise one.
 */
export function escapeWideCharacters(): Plugin {
  return {
    name: 'escape-wide-characters',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'ssr',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        file.code = escapeAboveLatin1(file.code);
      }
    },
  };
}

/**
 * Replaces Vite's helper of dynamic imports, which preloads their styles and scripts. Here they have no styles of their own,
 * and the scripts are not preloaded (`build.modulePreload`).
 */
export function withoutPreloads(): Plugin {
  const helper = '\0vite/preload-helper.js';
  return {
    name: 'without-preloads',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === helper ? 'export const __vitePreload = (load) => load();' : undefined),
  };
}

/** Features of React Router that the shop does not use, by the module that implements them, and what stands in for it. */
const unusedRouterFeatures: Readonly<Record<string, string>> = {
  // Discovery of routes on demand: `routeDiscovery` of react-router.config.ts is `initial`.
  'lib/dom/ssr/fog-of-war.js': `
    export const isFogOfWarEnabled = () => false;
    export const getPartialManifest = (manifest) => manifest;
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const useFogOFWarDiscovery = () => undefined;
    // Only for the server and for React Server Components.
    export const getManifestPath = undefined;
    export const getPathsWithAncestors = undefined;
    export const handleClientVersionMismatch = undefined;`,
  // Instrumentation: `HydratedRouter` gets none.
  'lib/router/instrumentation.js': `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;
    // Only for the server.
    export const instrumentHandler = undefined;
    export const instrumentationResultMetaContext = undefined;`,
  // The page shown in place of a missing `HydrateFallback`, for which only a `clientLoader` would wait: the shop has none.
  'lib/dom/ssr/fallback.js': 'export const RemixRootDefaultHydrateFallback = undefined;',
  // The page shown in place of a missing `ErrorBoundary`, which `web/root.tsx` has, and when the router itself fails.
  'lib/dom/ssr/errorBoundaries.js': `
    import { Component, createElement } from 'react';
    export const RemixRootDefaultErrorBoundary = undefined;
    export class RemixErrorBoundary extends Component {
      state = { failed: false };
      static getDerivedStateFromError() {
        return { failed: true };
      }
      render() {
        if (!this.state.failed) return this.props.children;
        const words = createElement('h1', null, 'Something went wrong. Please load the page again.');
        return createElement('html', { lang: 'en' }, createElement('body', null, words));
      }
    }`,
};

/**
 * Leaves unused features of React Router out of the browser's scripts. The build fails when a version of React Router has
 * them elsewhere, or needs more of them than stands here.
 */
export function withoutUnusedRouterFeatures(): Plugin {
  const missing = new Set(Object.keys(unusedRouterFeatures));
  return {
    name: 'without-unused-router-features',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load(id) {
      const [, path = ''] = /\/react-router\/dist\/production\/(.*)$/.exec(id) ?? [];
      const code = unusedRouterFeatures[path];
      if (code !== undefined) missing.delete(path);
      return code;
    },
    buildEnd(error) {
      if (error === undefined && missing.size > 0)
        throw new Error(`React Router has no longer: ${[...missing].join(', ')}`);
    },
  };
}
