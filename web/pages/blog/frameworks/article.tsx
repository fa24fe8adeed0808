import { Article, Code, Part } from '../article.tsx';
import { questions } from '../questions.ts';
import angular from './laptop-search.component.ts.txt?highlighted';
import react from './laptop-search.tsx?highlighted';
import vue from './laptop-search.vue.txt?highlighted';

const rows: [label: string, angular: string, react: string, vue: string][] = [
  [
    'What it is',
    'A framework with everything in it',
    'A library for the screen',
    'A framework to be adopted bit by bit',
  ],
  [
    'Markup',
    'HTML templates with @if and @for',
    'JSX: markup inside JavaScript',
    'HTML templates with v-if and v-for',
  ],
  [
    'What updates',
    'Whatever read a changed signal',
    'The component runs again; the result is compared',
    'Whatever read a changed ref',
  ],
  ['Routing, forms', 'Included', 'Of your choice', 'Official router; forms of your choice'],
  [
    'Shared state',
    'Services with signals; NgRx',
    'Hooks; Zustand, Jotai, Redux Toolkit',
    'Composables; Pinia',
  ],
  ['On the server', 'Angular SSR', 'React Router, Next.js, TanStack Start', 'Nuxt'],
  [
    'TypeScript',
    'Required, also in templates',
    'Optional, very well supported',
    'Optional, also in templates',
  ],
  ['Behind it', 'Google', 'The React Foundation', 'An independent team, paid by sponsors'],
];

export function Frameworks() {
  return (
    <Article {...questions.frameworks}>
      <p>
        All three build a page from components, render on the server, speak TypeScript and are fast enough for
        nearly everybody. They have also grown alike: signals came to Angular, a compiler came to React, and
        Vue had a bit of both all along. What still differs is how much is decided for you, and what you look
        at all day. So here is the same search field three times, written as each framework’s own guide would
        have it in late 2026.
      </p>
      <Part id="react-example" title="React 19">
        <Code name="laptop-search.tsx" html={react} />
        <p>
          A component is a function, and it simply runs again whenever its state changes. There is little to
          learn that is not JavaScript. The price was remembering what to memoise; the React Compiler, stable
          since 2025, now does that while building. Everything beyond the screen is a choice of yours, which
          is freedom in the first week and a decision to defend in the third year.
        </p>
      </Part>
      <Part id="vue-example" title="Vue 3.5">
        <Code name="laptop-search.vue" html={vue} />
        <p>
          Script, template and style of a component share one file. The script runs <em>once</em>; refs
          remember who read them, so Vue knows what to update without being told. <code>v-model</code> ties
          the input to the ref in both directions. Of the three, this is the one that a person who knows HTML
          reads soonest. The next step, Vapor Mode in the betas of Vue 3.6, compiles the same files to code
          without a virtual DOM.
        </p>
      </Part>
      <Part id="angular-example" title="Angular 22">
        <Code name="laptop-search.component.ts" html={angular} />
        <p>
          If you last saw Angular with modules, <code>*ngIf</code> and zone.js, look again: components stand
          alone, control flow is part of the template language, and change detection is driven by signals,
          without zones. Router, forms, HTTP client, dependency injection and a test runner come in one box,
          released together and migrated by <code>ng update</code>. There is more to learn before the first
          screen, and less to decide before the hundredth.
        </p>
      </Part>
      <Part id="frameworks-compared" title="Side by side">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable */}
        <section className="wide" tabIndex={0} aria-labelledby="frameworks-compared">
          <table>
            <thead>
              <tr>
                <th scope="col">
                  <span className="sr-only">Question</span>
                </th>
                <th scope="col">Angular</th>
                <th scope="col">React</th>
                <th scope="col">Vue</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([label, ...cells]) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {cells.map((cell) => (
                    <td key={cell}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Part>
      <Part id="choosing-a-framework" title="How to choose">
        <ul>
          <li>
            <strong>Your team knows one of them well.</strong> Take it. Nothing else on this list weighs as
            much.
          </li>
          <li>
            <strong>Many teams, many years, much turnover.</strong> Angular’s single way of doing things is
            worth its steeper start.
          </li>
          <li>
            <strong>Server-rendered pages to be made interactive step by step.</strong> Vue is the gentlest
            guest in a page that exists already.
          </li>
          <li>
            <strong>You depend on what others have built.</strong> React has the largest choice of components
            and the largest number of people who can be hired; and React Native, if there is to be an app.
          </li>
        </ul>
        <p>
          This shop is built with React, for the third and plainest reason: the card processor’s own form
          fields, the cache for fetched data and the accessible dialogs that we wanted all exist for it,
          finished and maintained. In Vue or Angular it would look the same to you.
        </p>
      </Part>
    </Article>
  );
}
