import { Outlet, type ServerBuild } from 'react-router';

const manifestRoute = {
  hasAction: false,
  hasLoader: false,
  hasClientAction: false,
  hasClientLoader: false,
  hasClientMiddleware: false,
  hasErrorBoundary: false,
  clientActionModule: undefined,
  clientLoaderModule: undefined,
  clientMiddlewareModule: undefined,
  hydrateFallbackModule: undefined,
};

type Entry = ServerBuild['entry']['module'];
type Page = NonNullable<ServerBuild['routes'][string]>['module'];

/** A build of a root and one page at `/`, with the manifest that React Router needs to render its scripts. */
export function buildOfOnePage(entry: Entry, page: Page): ServerBuild {
  return {
    entry: { module: entry },
    routes: {
      root: { id: 'root', path: '', module: { default: Outlet } },
      home: { id: 'home', parentId: 'root', index: true, module: page },
    },
    assets: {
      entry: { module: '/entry.js', imports: ['/framework.js'] },
      routes: {
        root: { ...manifestRoute, id: 'root', path: '', module: '/root.js', imports: ['/shell.js'] },
        home: {
          ...manifestRoute,
          id: 'home',
          parentId: 'root',
          index: true,
          module: '/home.js',
          imports: [],
        },
      },
      url: '/manifest.js',
      version: '1',
    },
    publicPath: '/',
    assetsBuildDirectory: 'build',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
  };
}
