import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { highlightedCode } from './web/pages/blog/highlight.ts';
import { subsetFonts } from './web/ui/subset-fonts.ts';

export default defineConfig(async ({ command }) => ({
  plugins: [highlightedCode(), tailwindcss(), reactRouter()],
  resolve: { alias: await subsetFonts(join(import.meta.dirname, 'node_modules/.cache/fonts')) },
  // React chooses its build by NODE_ENV when it is loaded; deciding it here keeps the pages fast also where the
  // process is started without that variable.
  ...(command === 'build' ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  ssr: command === 'build' ? { noExternal: true as const } : {},
  build: { assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // What every page needs, in one file: it compresses better and changes only with its versions.
            codeSplitting: {
              groups: [
                { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler|zod)\// },
                {
                  name: 'shell',
                  test: /web\/(links|ui\/(toast|states|button|theme|photo|progress-bar|online|hydrated)|pages\/(price|public-meta|sell-link)|session\/(session|store|remembered-page))\.tsx?$/,
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
