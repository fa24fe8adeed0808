import type { APIRequestContext, Page } from '@playwright/test';
import { expect } from '#tests/harness/platform/browser.ts';

/** Public pages that have scripts and a form or a menu, and need no sign-in. */
export const publicPages = [
  '/',
  '/blog',
  '/how-it-works',
  '/laptops',
  '/login',
  '/register',
  '/reset-password',
  '/verify-email',
  '/account-deleted',
] as const;

/** The titles of the articles that a fresh shop's blog has. */
export const blogQuestions = [
  'How is state managed in a React application?',
  'How does prototypal inheritance work?',
  'What is a unit test, and why write one?',
  'Angular, React or Vue: what is the difference?',
];

/** Fetches a page without a browser. @returns its HTML */
export async function fetchHtml(request: APIRequestContext, path: string): Promise<string> {
  const response = await request.get(path);
  expect(response.status(), path).toBe(200);
  return response.text();
}

/** Reads the JSON-LD of a page. */
export function readStructuredData(page: Page): Promise<unknown[]> {
  return page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((scripts) => scripts.map((script) => JSON.parse(script.textContent ?? '')));
}
