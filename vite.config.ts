import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  // React selects its development or production build by NODE_ENV at load time. Fixed here, because the server may be
  // started without that variable.
  ...(command === 'build' ? { define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  ssr: command === 'build' ? { noExternal: true as const } : {},
  // A lazily imported chunk is one file: no inlined assets, no preload of others.
  build: { assetsInlineLimit: 0, modulePreload: false },
  environments: {
    // The server has these already, and each of them once.
    ssr: { build: { rolldownOptions: { external: [/^#contract\//, /^zod(\/|$)/] } } },
    // What nearly every visit needs is one file: many small ones compress worse, by 7 kB on a laptop's page.
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Every visit loads the table of routes, which names each file: without words it is 1.1 kB smaller.
            chunkFileNames: 'assets/[hash].js',
            codeSplitting: {
              groups: [
                { name: 'shell', test: /web.(root|laptops.laptop-tile|layout.shop-layout).tsx$/ },
                // What every page with a call loads: the table of routes, which every visit loads, names each file.
                {
                  name: 'contract',
                  test: /contract.platform.(client|endpoint|scalars|json).ts$/,
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
