import { Article, Code, Part } from '../article.tsx';
import { questions } from '../questions.ts';
import chain from './chain.js?highlighted';
import sugar from './class.js?highlighted';
import traps from './traps.js?highlighted';

export function PrototypalInheritance() {
  return (
    <Article {...questions.prototypes}>
      <p>
        In Java or C#, a class is a plan and an object is built from it. In JavaScript there are only objects,
        and each of them may point to another one: its <strong>prototype</strong>. When a property is read
        that the object does not have, the engine looks at the prototype, then at the prototype’s prototype,
        until it finds the property or reaches <code>null</code>. Nothing is copied. Inheritance is this
        search, done at the moment of reading.
      </p>
      <Part id="prototype-chain" title="The chain, with nothing around it">
        <p>
          <code>Object.create</code> makes an object with a prototype of your choice. The comments in these
          examples are checked by our test suite, so you can trust them:
        </p>
        <Code name="chain.js" html={chain} />
        <p>Three things are worth a second look.</p>
        <ul>
          <li>
            <strong>
              <code>this</code> is the object in front of the dot.
            </strong>{' '}
            <code>describe</code> was found on <code>laptop</code>, but called on <code>eliteBook</code>, so
            it reads the name of <code>eliteBook</code>.
          </li>
          <li>
            <strong>Reading climbs the chain, writing does not.</strong> The assignment to{' '}
            <code>eliteBook.cores</code> made a property of its own that <em>shadows</em> the inherited one;{' '}
            <code>laptop</code> kept its four cores. Deleting the own property let the inherited one show
            again. (Setters and read-only properties on the chain are the exception: they have a say in
            writing.)
          </li>
          <li>
            <strong>The link is live.</strong> Give <code>laptop</code> a new method, and every object made
            from it has that method at once.
          </li>
        </ul>
      </Part>
      <Part id="classes" title="Where classes come in">
        <p>
          A function that is made for <code>new</code> has a property named <code>prototype</code>. It is not
          the prototype <em>of the function</em>; it is the object that becomes the prototype of whatever{' '}
          <code>new</code> makes. The <code>class</code> syntax writes methods onto that object, and{' '}
          <code>extends</code> links two such objects:
        </p>
        <Code name="class.js" html={sugar} />
        <p>
          So <code>describe</code> exists once, however many laptops there are, and{' '}
          <code>super.describe</code> starts the search one link further up. Classes do add a few things that
          were awkward before: private <code>#fields</code>, a constructor that refuses to run without{' '}
          <code>new</code>, and built-in types such as <code>Error</code> and <code>Array</code> that can be
          extended properly. But <code>instanceof</code> still only asks whether an object’s chain contains a
          certain <code>prototype</code>. That is also why it fails for objects from another frame: theirs is
          another <code>Array.prototype</code>.
        </p>
      </Part>
      <Part id="prototype-traps" title="Two traps">
        <Code name="traps.js" html={traps} />
        <p>
          <strong>A shared object.</strong> <code>ada.items.push</code> <em>reads</em> <code>items</code>, so
          it climbs the chain and changes the one array that all baskets share. State belongs to each object,
          in its constructor; only behaviour belongs on the prototype.
        </p>
        <p>
          <strong>Keys that come from outside.</strong> A plain object inherits from{' '}
          <code>Object.prototype</code>, so <code>in</code> finds more than you put there. Ask with{' '}
          <code>Object.hasOwn</code>, or use a <code>Map</code>, which has no prototype in the way of its
          keys. Worse, a key named <code>__proto__</code> in somebody’s JSON can replace a prototype when it
          is copied carelessly, as <code>Object.assign</code> does above. A recursive merge that does the same
          can reach <code>Object.prototype</code> itself; that is called prototype pollution. Check input
          against a schema, and copy only the fields that you know.
        </p>
      </Part>
      <Part id="prototypes-in-short" title="In short">
        <p>
          Objects point to objects, reading follows the pointers, writing stays where it is. Write classes in
          everyday code, and remember the chain when something appears on an object that nobody put there.
        </p>
      </Part>
    </Article>
  );
}
