/** The path of the rules, which the header `Speculation-Rules` names. */
export const SPECULATION_RULES_PATH = '/speculation-rules.json';

/**
 * Lets browsers fetch a page when the pointer rests on its link. Only pages that the server keeps, so that this costs next to
 * nothing: no searches, which have a budget, and nothing of an account. A fetched page runs no scripts before it is opened,
 * so it does not count as seen.
 */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      source: 'document',
      where: {
        and: [
          { href_matches: ['/', '/blog', '/how-it-works', '/laptops', '/laptop/*'] },
          { not: { href_matches: '/*\\?*' } },
          { not: { selector_matches: '[rel~=nofollow], [target=_blank], [download]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
});
