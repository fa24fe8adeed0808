import { Article, Code, Part } from '../article.tsx';
import { questions } from '../questions.ts';
import holdTest from './hold.test.ts?highlighted';
import hold from './hold.ts?highlighted';
import splitTest from './split.test.ts?highlighted';
import split from './split.ts?highlighted';

export function UnitTests() {
  return (
    <Article {...questions.unitTests}>
      <p>
        A unit test calls a small piece of a program, usually a function or a class, with known input, and
        compares what comes back with what should. It needs no network, no database and no browser, so
        hundreds of them run in a second and each one points at the place that broke. Around them stand{' '}
        <em>integration tests</em>, which join real parts, and <em>end-to-end tests</em>, which walk through
        the product as a person would: fewer, slower, and proof of what no unit test can show.
      </p>
      <Part id="why-unit-tests" title="What you get for the trouble">
        <ul>
          <li>
            <strong>Courage.</strong> You can tidy up code that you wrote a year ago, because its promises are
            checked within a second of saving.
          </li>
          <li>
            <strong>A shorter search.</strong> “An order for $0.01 fails” is a bug report; “a price of one
            cent is refused” with a line number is almost the repair.
          </li>
          <li>
            <strong>Better shapes.</strong> Code that is hard to test mostly does too many things at once.
            Pulling the decision apart from the database call helps whoever reads it next, too.
          </li>
          <li>
            <strong>Documentation that cannot go stale.</strong> The name of a test says what the code
            promises, and the test fails when that is no longer true.
          </li>
        </ul>
      </Part>
      <Part id="first-unit-test" title="A first test">
        <p>
          When somebody starts to pay for a laptop, it is put aside for twenty minutes. The rule is one line.
          Note that the time is an argument: a function that looks at the clock by itself gives another answer
          on each call, and such a function is hard to pin down.
        </p>
        <Code name="hold.ts" html={hold} />
        <Code name="hold.test.ts" html={holdTest} />
        <p>
          Both files run in our test suite, with Vitest. The interesting values are the ones on the edge:
          mistakes live where <code>&lt;</code> might have been <code>&lt;=</code>, at zero, at the empty
          list, at the last day of a month. And each test is named after what matters, not after the function:
          “at twenty minutes sharp it can be bought by somebody else” still makes sense when everything inside
          has been rewritten.
        </p>
      </Part>
      <Part id="property-tests" title="When examples are not enough">
        <p>
          Sometimes you know a law rather than a list of examples. Split an amount into shares, and whatever
          the numbers, no cent may vanish:
        </p>
        <Code name="split.ts" html={split} />
        <Code name="split.test.ts" html={splitTest} />
        <p>
          fast-check tries a hundred pairs of numbers, among them the nasty ones, and when one fails it looks
          for the smallest that still does. Money, dates, parsers and anything with a way there and a way back
          are worth such a test.
        </p>
      </Part>
      <Part id="tests-to-leave-out" title="Which tests to leave out">
        <ul>
          <li>
            <strong>Tests that repeat the code.</strong> If a test replaces all neighbours by mocks and then
            checks that they were called in order, it fails on every change and finds nothing. Test what comes
            out.
          </li>
          <li>
            <strong>Tests that cannot fail.</strong> Break the code on purpose once and see the test turn red.
            If it stays green, it was decoration.
          </li>
          <li>
            <strong>Tests with a pause in them.</strong> Waiting half a second for something to happen is slow
            on good days and wrong on bad ones. Wait for the event itself, or hand in the clock.
          </li>
          <li>
            <strong>Tests for the sake of a number.</strong> Coverage shows which lines nothing has run. It
            cannot show that anybody checked the result.
          </li>
        </ul>
        <p>
          And some promises are not the business of a unit. That two buyers cannot both pay for one laptop is
          a matter for the real database and a real race, so that is how this shop tests it.
        </p>
      </Part>
    </Article>
  );
}
