import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import {
  escapeWideCharacters,
  minifyAgain,
  withoutPreloads,
  withoutUnusedRouterFeatures,
} from './scripts/smaller-scripts.ts';
import { articlePlugin } from './web/pages/blog/article-plugin.ts';
import { iconFiles } from './web/ui/icon-files.ts';
import { subsetFonts } from './web/ui/subset-fonts.ts';

export default defineConfig(async ({ command }) => ({
  plugins: [
    articlePlugin(),
    tailwindcss(),
    reactRouter(),
    iconFiles(join(import.meta.dirname, 'web/favicon.svg')),
    withoutPreloads(),
    withoutUnusedRouterFeatures(),
    minifyAgain(),
    escapeWideCharacters(),
  ],
  resolve: { alias: await subsetFonts(join(import.meta.dirname, 'node_modules/.cache/fonts')) },
  // React selects its development or production build by NODE_ENV at load time. Fixed here, because the server may be
  // started without that variable.
  ...(command === 'build' ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  ssr: command === 'build' ? { noExternal: true as const } : {},
  // A lazily imported chunk is one file: no inlined assets, no preload of others.
  build: { assetsInlineLimit: 0, modulePreload: false },
  environments: {
    // The server keeps the text of its scripts in memory. Names stay, for the stack traces in its log.
    ssr: {
      build: {
        rolldownOptions: {
          // The server has these already.
          external: [/^#contract\//, /^zod(\/|$)/],
          output: {
            minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
          },
        },
      },
    },
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Modules that are needed together share a chunk. It compresses better, and the list of files that every
            // visit fetches stays short.
            codeSplitting: {
              groups: [
                { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                // For every page. Nothing here may import the contract's schemas: visitors do not need them.
                {
                  name: 'shell',
                  test: /web\/(root|bookings\/booking-url|laptops\/(laptop-url|condition-chip)|deferred-hydration|ui\/(icon|route-announcer|avatar|toast|toast-store|button|theme|photo|progress-bar|online-status|use-hydrated|use-lazy-component|badge)|layout\/(shop-layout|needs-server|page-error|navbar|search-box|search-form|footer|brand-mark|use-sell-link)|formats\/prices|requests\/with-timeout|session\/(session|session-store|session-state|return-page|identity\/sign-in-lookup))\.tsx?$|contract\/(slug|level-names)\.ts$|node_modules\/idb-keyval\//,
                },
                // For pages with lists: loading, empty and failed.
                { name: 'states', test: /web\/ui\/states\.tsx$/ },
                // For pages that make calls.
                {
                  name: 'calls',
                  test: /node_modules\/zod\/|contract\/(client|endpoint|refusals|scalars|accounts)\.ts$|web\/(requests\/random-hex|session\/(session-actions|shop-client|shop-token|identity\/))|node_modules\/jose\//,
                },
                // For pages that list laptops.
                {
                  name: 'laptops',
                  test: /web\/(laptops\/(laptop-tile|stored-laptops|seen-laptops|compared-laptops|sort-names|wish-intent)|layout\/require-sign-in-for-dialog)\.tsx?$/,
                },
                // For pages that show a laptop with all its photos.
                {
                  name: 'photos',
                  test: /web\/(laptops\/(gallery|report-button|laptop-title-id)|ui\/icon-button|formats\/(seller-badge|price-facts)|pages\/laptop\/bar)\.tsx?$/,
                },
                // For the pages of signed-in users. The dialogs bring what they import; menus are loaded when opened.
                {
                  name: 'signed-in',
                  test: /node_modules\/(@tanstack|@base-ui\/react\/(alert-)?dialog)\/|web\/(requests\/query-client|session\/(require-|roles))|web\/ui\/(dialog|table|field)\.tsx$/,
                },
              ],
            },
          },
        },
      },
    },
  },
  optimizeDeps: {
    // Packages that only lazily loaded pages import: found late, they would make the development server reload.
    include: [
      '@base-ui/react/dialog',
      '@base-ui/react/alert-dialog',
      '@base-ui/react/menu',
      '@stripe/react-stripe-js',
      '@stripe/stripe-js/pure',
      '@tanstack/react-query',
      'react-hook-form',
      'zod/mini',
    ],
  },
}));
