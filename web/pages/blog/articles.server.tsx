import { renderToStaticMarkup } from 'react-dom/server';
import { Frameworks } from './frameworks/article.tsx';
import { PrototypalInheritance } from './prototypal-inheritance/article.tsx';
import { StateManagement } from './state-management/article.tsx';
import { UnitTests } from './unit-tests/article.tsx';

/** The articles as HTML. They are static, so their components are not in the browser's bundle. */
export const articles = renderToStaticMarkup(
  <>
    <StateManagement />
    <PrototypalInheritance />
    <UnitTests />
    <Frameworks />
  </>,
);
