/** The query of a URL, without the parameter that React Router adds to its requests for data; for redirects that repeat it. */
export function visibleQuery(url: URL): string {
  const parameters = new URLSearchParams(url.search);
  parameters.delete('_routes');
  return parameters.size === 0 ? '' : `?${parameters}`;
}
