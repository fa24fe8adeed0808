/** Other origins that pages use: the card processor, the identity provider, the image host. */
export interface ContentSecuritySources {
  scriptSources: string[];
  frameSources: string[];
  connectSources: string[];
  imageSources: string[];
}

export interface SecurityOptions {
  mode: 'production' | 'development';
  /** The public origin, without a trailing slash. */
  origin: string;
  contentSecurity: ContentSecuritySources;
}

/**
 * The Content-Security-Policy of one page: scripts need the shop or the card processor as their origin.
 * @param inlineScripts the sources that allow its inline scripts: a nonce, or hashes
 */
function contentSecurityPolicy(
  { contentSecurity, mode, origin }: SecurityOptions,
  inlineScripts: readonly string[],
): string {
  const { scriptSources, frameSources, connectSources, imageSources } = contentSecurity;
  const hotReloadSources = mode === 'development' ? ['ws:'] : [];
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inlineScripts, ...scriptSources],
    // Base UI and React set style attributes. Injected styles cannot run code.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...imageSources],
    'font-src': ["'self'"],
    'media-src': ["'self'"],
    'connect-src': ["'self'", ...connectSources, ...hotReloadSources],
    'frame-src': frameSources.length === 0 ? ["'none'"] : frameSources,
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    ...(origin.startsWith('https:') ? { 'upgrade-insecure-requests': [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ');
}

/** The page that tests a laptop's camera and microphone. */
const CHECK_PATH = '/check';

/** The features that a page may use. Only its own scripts may, and no frame. */
function permissionsPolicy(path: string): string {
  const allowed = path === CHECK_PATH ? '(self)' : '()';
  return `camera=${allowed}, geolocation=(), microphone=${allowed}`;
}

/**
 * The headers of a page.
 * @param path its path without a query
 * @param inlineScripts the sources that allow its inline scripts
 */
export function securityHeaders(
  options: SecurityOptions,
  path: string,
  inlineScripts: readonly string[],
): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(options, inlineScripts),
    // The window of the sign-in with Google must reach its opener.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': permissionsPolicy(path),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(options.origin.startsWith('https:') && {
      'strict-transport-security': 'max-age=31536000',
    }),
  };
}
