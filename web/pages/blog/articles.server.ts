import frameworks from './frameworks/article.md';
import prototypes from './prototypal-inheritance/article.md';
import { questions } from './questions.ts';
import state from './state-management/article.md';
import unitTests from './unit-tests/article.md';

const toArticle = ({ id, question }: { id: string; question: string }, html: string) =>
  `<article id="${id}" aria-labelledby="${id}-question"><h2 id="${id}-question"><a href="#${id}">${question}</a></h2>${html}</article>`;

/** The articles as HTML. They are rendered at build time and are not in the browser's bundle. */
export const articles = [
  toArticle(questions.state, state),
  toArticle(questions.prototypes, prototypes),
  toArticle(questions.unitTests, unitTests),
  toArticle(questions.frameworks, frameworks),
].join('');
