import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { minifyAgain, withoutPreloads } from './scripts/smaller-scripts.ts';
import { articlePlugin } from './web/pages/blog/article-plugin.ts';
import { subsetFonts } from './web/ui/subset-fonts.ts';

export default defineConfig(async ({ command }) => ({
  plugins: [articlePlugin(), tailwindcss(), reactRouter(), withoutPreloads(), minifyAgain()],
  resolve: { alias: await subsetFonts(join(import.meta.dirname, 'node_modules/.cache/fonts')) },
  // React selects its development or production build by NODE_ENV at load time. Fixed here, because the server may be
  // started without that variable.
  ...(command === 'build' ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  ssr: command === 'build' ? { noExternal: true as const } : {},
  // A lazily imported chunk is one file: no inlined assets, no preload of others.
  build: { assetsInlineLimit: 0, modulePreload: false },
  environments: {
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
                  test: /web\/(root|bookings\/booking-url|laptops\/laptop-url|deferred-hydration|ui\/(icon|route-announcer|avatar|toast|states|button|theme|photo|progress-bar|online-status|use-hydrated|use-lazy-component)|layout\/(shop-layout|navbar|search-box|footer|brand-mark|use-sell-link)|formats\/prices|metadata\/(page-meta|product-json-ld)|session\/(session|session-store|session-state|return-page|identity\/sign-in-lookup))\.tsx?$|contract\/slug\.ts$|node_modules\/idb-keyval\//,
                },
                // For pages that make calls.
                {
                  name: 'calls',
                  test: /node_modules\/zod\/|contract\/(client|endpoint|refusals|scalars|accounts)\.ts$|web\/session\/(session-actions|shop-client|shop-token|identity\/)|node_modules\/jose\//,
                },
                // For pages that show laptops.
                {
                  name: 'laptops',
                  test: /web\/(laptops\/(gallery|report-button|laptop-tile|laptop-title-id)|ui\/(badge|icon-button)|formats\/seller-badge|layout\/not-found)\.tsx?$/,
                },
                // For the pages of signed-in users.
                {
                  name: 'signed-in',
                  test: /node_modules\/(@tanstack|@base-ui)\/|web\/session\/(require-|roles|query-client)|web\/ui\/(dialog|table|field)\.tsx$/,
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
      '@stripe/react-stripe-js',
      '@stripe/stripe-js/pure',
      '@tanstack/react-query',
      'react-hook-form',
      'react-hot-toast/headless',
      'zod/mini',
    ],
  },
}));
