import { Article, Code, Part } from '../article.tsx';
import { questions } from '../questions.ts';
import payment from './payment.ts?highlighted';
import wished from './wished.ts?highlighted';

export function StateManagement() {
  return (
    <Article {...questions.state}>
      <p>
        State is what a page has to remember between two moments: what was typed, which dialog is open, who is
        signed in. React’s part of the bargain is simple. A component is a function from state to a
        description of the screen; change the state, and React calls the function again. <em>Managing</em>{' '}
        state means deciding where each piece lives and who may change it. Most of the trouble comes from
        choosing a library before asking what kind of state there is.
      </p>
      <Part id="four-kinds-of-state" title="Four kinds, four homes">
        <ul>
          <li>
            <strong>No state at all.</strong> Whatever follows from something else is computed while
            rendering: a total, a filtered list, “is this form valid”. Stored a second time, it will one day
            disagree with the first. An effect that calls a setter to keep two states in step is the usual
            sign.
          </li>
          <li>
            <strong>The address.</strong> A search, a page number, an opened tab: if a reload or a shared link
            should bring it back, it belongs in the URL, and the router is its store.
          </li>
          <li>
            <strong>The server’s state.</strong> Laptops, orders and wishlists live in a database; the browser
            only has a copy that grows old. What you need for it is a cache that knows about age, retries and
            refetching, such as TanStack Query, RTK Query, or your router’s loaders. Keeping such copies in a
            hand-made global store means writing that cache again, worse.
          </li>
          <li>
            <strong>The screen’s own state.</strong> Only this remains: a draft, an open menu, the step of a
            payment. Start with <code>useState</code> in the component that needs it, and move it up to the
            nearest common parent when a second component asks for it.
          </li>
        </ul>
      </Part>
      <Part id="reducer" title="When one thing has several steps">
        <p>
          Three booleans called <code>isLoading</code>, <code>isError</code> and <code>isDone</code> have
          eight combinations, of which perhaps four make sense. A reducer over a union type has only those
          four, and every change goes through one function that can be read and tested without React:
        </p>
        <Code name="payment.ts" html={payment} />
        <p>
          The payment page of this shop works that way, because “the button was pressed twice” must be a case
          that somebody has thought about.
        </p>
      </Part>
      <Part id="shared-state" title="When distant components share something">
        <p>
          Passing a value through five components that do not use it is tiresome, and context ends that. But
          context is a way to <em>hand down</em> a value, not to manage one: when the value changes, every
          component that reads the context renders again. It suits what rarely changes, such as the theme, the
          language or the person signed in.
        </p>
        <p>
          For what changes often, keep the state outside React and let components subscribe to it. That is
          what Redux Toolkit, Zustand and Jotai do, and React has a hook for it:
        </p>
        <Code name="wished.ts" html={wished} />
        <p>
          A library adds selectors, so that a component renders only when its part has changed, plus developer
          tools and middleware. Take Zustand or Jotai when you want little ceremony, and Redux Toolkit when
          many people work on one large client and a log of every action pays for itself. Where the React
          Compiler memoises components while building, “we need it for performance” is less often the reason
          than it was.
        </p>
      </Part>
      <Part id="state-in-short" title="In short">
        <p>
          Compute what can be computed, put what should be linkable into the address, let a query cache own
          the server’s data, and keep the rest close to where it is used. In a shop like this one, hardly
          anything is left over for a global store: the person signed in, and little else.
        </p>
      </Part>
    </Article>
  );
}
