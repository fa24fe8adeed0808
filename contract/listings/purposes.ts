import { conditions } from './laptop-schemas.ts';
import type { UnderstoodParameter } from './search.ts';

/** Words that a search reads as filters or as an order. */
export interface Purpose {
  /** The first one is suggested. */
  words: readonly [string, ...string[]];
  /** What they mean, as parameters of a search. */
  parameters: readonly UnderstoodParameter[];
}

const dedicatedGraphics = { name: 'graphics', value: 'dedicated' };
const memory = (gigabytes: 8 | 16 | 32) => ({ name: 'memory', value: `${gigabytes}-or-more` });

/**
 * The words that name a use or a wish of a buyer, and the facts that a laptop needs for it. Only facts that nearly every seller
 * states: a laptop with an unknown fact is not found by it. (Cores are none of them: the texts that the form offers have none.)
 */
export const purposes: readonly Purpose[] = [
  { words: ['gaming', 'games', 'gamer', 'gamers', 'play games'], parameters: [dedicatedGraphics] },
  {
    words: [
      ...(['video editing', 'edit videos', 'editing videos', 'film editing', 'video production'] as const),
      ...['premiere pro', 'davinci resolve'],
    ],
    parameters: [dedicatedGraphics, memory(16)],
  },
  {
    words: [
      ...(['3D design', 'CAD', '3D', '3D modeling', '3D modelling', '3D rendering', 'rendering'] as const),
      ...['blender', 'autocad', 'solidworks'],
    ],
    parameters: [dedicatedGraphics, memory(16)],
  },
  {
    words: ['machine learning', 'deep learning', 'data science'],
    parameters: [dedicatedGraphics, memory(16)],
  },
  {
    words: [
      ...([
        'photo editing',
        'edit photos',
        'editing photos',
        'photography',
        'photoshop',
        'lightroom',
      ] as const),
      ...['graphic design', 'illustration'],
    ],
    parameters: [memory(16)],
  },
  {
    words: [
      ...(['programming', 'coding', 'programmer', 'programmers', 'developer', 'developers'] as const),
      ...['software development', 'web development'],
    ],
    parameters: [memory(16)],
  },
  { words: ['music production', 'music', 'ableton'], parameters: [memory(16)] },
  {
    words: [
      ...(['school', 'university', 'college', 'student', 'students', 'studying', 'homework'] as const),
      'schoolwork',
    ],
    parameters: [memory(8), { name: 'battery', value: '70' }],
  },
  {
    words: ['travel', 'travelling', 'traveling', 'commuting', 'lightweight', 'portable'],
    parameters: [
      { name: 'screen', value: '14-or-less' },
      { name: 'battery', value: '70' },
    ],
  },
  {
    words: ['business use', 'business', 'business laptop', 'business laptops'],
    parameters: [memory(8)],
  },
  {
    words: ['office work', 'home office', 'working from home', 'office', 'word processing', 'spreadsheets'],
    parameters: [memory(8)],
  },
  {
    words: [
      ...(['dedicated graphics', 'discrete graphics', 'graphics card', 'dedicated gpu'] as const),
      ...['discrete gpu', 'gpu'],
    ],
    parameters: [dedicatedGraphics],
  },
  {
    words: ['good battery', 'great battery', 'long battery life', 'good battery life'],
    parameters: [{ name: 'battery', value: '80' }],
  },
  ...([90, 80, 70] as const).map((percent): Purpose => {
    const floors = ['over', 'above', 'at least', 'more than', 'minimum', 'min', '>', '>='].flatMap(
      (bound) => [`${bound} ${percent}`, `${bound} ${percent} percent`],
    );
    const after = [...floors, `${percent} or more`, `${percent}\\+`, `${percent} percent`, `${percent}%`];
    const names = ['battery', 'battery health', 'battery life', 'battery capacity', 'health'];
    const phrases = names.flatMap((name) => after.map((floor) => `${name} ${floor}`));
    return {
      words: [`battery over ${percent}`, ...phrases, ...floors.map((floor) => `${floor} battery`)],
      parameters: [{ name: 'battery', value: String(percent) }],
    };
  }),
  ...([8, 16, 32] as const).map((gigabytes): Purpose => {
    const sizes = [`${gigabytes}gb`, `${gigabytes} gb`];
    const atLeast = sizes.flatMap((size) => [`at least ${size}`, `${size} or more`, `${size}\\+`]);
    return { words: [`${gigabytes} GB or more`, ...atLeast], parameters: [memory(gigabytes)] };
  }),
  ...[4, 8, 12, 16, 24, 32, 48, 64, 96, 128].map((gigabytes): Purpose => {
    const sizes = [`${gigabytes}gb`, `${gigabytes} gb`];
    const ofMemory = sizes.flatMap((size) => [`${size} of ram`, `${size} memory`]);
    return {
      words: [`${gigabytes} GB ram`, `${gigabytes}gb ram`, ...ofMemory],
      parameters: [{ name: 'memory', value: String(gigabytes) }],
    };
  }),
  ...[128, 256, 512].map((gigabytes): Purpose => {
    const kinds = ['ssd', 'nvme', 'storage'].map((kind) => `${gigabytes} ${kind}`);
    return {
      words: [`${gigabytes} GB storage`, ...kinds],
      parameters: [{ name: 'storage', value: String(gigabytes) }],
    };
  }),
  ...conditions.map((condition, at): Purpose => {
    const name = condition.toLowerCase();
    // A buyer who asks for a good one takes a better one as well.
    const values = condition === 'Good' ? conditions.slice(0, at + 1) : [condition];
    return {
      words: [
        `${name} condition`,
        ...(condition === 'Excellent' ? ['like new', 'as new', 'mint condition'] : []),
      ],
      parameters: values.map((value) => ({ name: 'condition', value })),
    };
  }),
  {
    words: ['verified seller', 'verified sellers', 'verified'],
    parameters: [{ name: 'verified', value: 'yes' }],
  },
  {
    words: ['inspected', 'certified', 'inspected by the shop'],
    parameters: [
      { name: 'level', value: 'inspected_photos' },
      { name: 'level', value: 'inspected_hand' },
    ],
  },
  {
    words: ['big screen', 'large screen', 'bigger screen', 'larger screen', 'large display', 'big display'],
    parameters: ['15', '16', '17'].map((value) => ({ name: 'screen', value })),
  },
  {
    words: ['small screen', 'smaller screen', 'small display', 'compact', 'small laptop'],
    parameters: [{ name: 'screen', value: '14-or-less' }],
  },
  {
    words: ['free shipping', 'ships free', 'shipped', 'shipping', 'free delivery'],
    parameters: [{ name: 'shipping', value: 'free' }],
  },
  // No limit: what is cheap depends on the laptop.
  {
    words: [
      ...(['cheap', 'cheapest', 'affordable', 'inexpensive', 'low price', 'lowest price', 'budget'] as const),
      ...['less expensive', 'least expensive', 'not expensive', 'not too expensive', 'not so expensive'],
    ],
    parameters: [{ name: 'sort', value: 'price' }],
  },
  {
    words: ['most expensive', 'expensive', 'priciest', 'highest price'],
    parameters: [{ name: 'sort', value: '-price' }],
  },
];
