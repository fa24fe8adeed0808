import { renderToStaticMarkup } from 'react-dom/server';
import { Frameworks } from './frameworks/article.tsx';
import { PrototypalInheritance } from './prototypal-inheritance/article.tsx';
import { StateManagement } from './state-management/article.tsx';
import { UnitTests } from './unit-tests/article.tsx';

/** The articles as HTML. Nothing in them changes, so no browser is sent the code that made them. */
export const articles = renderToStaticMarkup(
  <>
    <StateManagement />
    <PrototypalInheritance />
    <UnitTests />
    <Frameworks />
  </>,
);
