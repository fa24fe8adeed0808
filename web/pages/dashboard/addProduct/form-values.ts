import * as z from 'zod/mini';
import {
  type Brand,
  Configuration,
  type ConfigurationField,
  conditions,
  configurationFields,
  DescriptionText,
  NewLaptop,
} from '#contract/catalogue.ts';
import { MAXIMUM_PHOTO_BYTES, MAXIMUM_PHOTO_SIZE } from '#contract/photos.ts';

/** What the form holds: everything as it was typed, under the names of the specification's section 5. */
export type Answers = {
  name: string;
  category_Id: string;
  original_price: string;
  resale_price: string;
  condition: (typeof conditions)[number];
  useTime: string;
  location: string;
  number: string;
  /** All photos, in the order in which they will be shown. */
  photo: readonly File[];
  description: string;
} & Record<ConfigurationField, string>;

export type FieldName = keyof Answers;

export const unanswered: Answers = {
  name: '',
  category_Id: '',
  original_price: '',
  resale_price: '',
  condition: conditions[0],
  useTime: '',
  location: '',
  number: '',
  photo: [],
  description: '',
  Processor: '',
  Graphics: '',
  Display: '',
  Memory: '',
  Storage: '',
  Battery: '',
  Operating: '',
};

/** The names of the brands to choose from: HP first, as the one that is chosen, then as the shop lists them. */
export function brandChoices(brands: readonly Pick<Brand, 'category_Id'>[]): string[] {
  const names = brands.map((brand) => brand.category_Id);
  return [...names.filter((name) => name === 'HP'), ...names.filter((name) => name !== 'HP')];
}

/** Where a field of the call stands in the form. */
const formNames: Readonly<Record<string, FieldName>> = {
  name: 'name',
  category_Id: 'category_Id',
  original_price: 'original_price',
  resale_price: 'resale_price',
  condition: 'condition',
  use_time: 'useTime',
  location: 'location',
  mobile_number: 'number',
  image: 'photo',
  images: 'photo',
  description: 'description',
};

/** The form's field that a problem of the server is about, or null. */
export function fieldOf(path: string): FieldName | null {
  const [first = '', second] = path.split('.');
  const part = configurationFields.find((field) => field === second);
  return part ?? formNames[first] ?? null;
}

/**
 * A price as people type it, in dollars: `549.99`, `$1,249`.
 * @returns the typed text when it is no price, for the contract to say what is wrong with it
 */
export function priceOf(typed: string): number | string {
  const text = typed.trim();
  return /^\$?\s*(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(text) ? Number(text.replace(/[$,\s]/g, '')) : text;
}

function descriptionOf(answers: Answers): string | Record<string, string> {
  const configuration = configurationFields
    .map((field) => [field, answers[field].trim()] as const)
    .filter(([, value]) => value !== '');
  const text = answers.description.trim();
  return configuration.length === 0 ? text : { ...Object.fromEntries(configuration), Notes: text };
}

/** The seller's local date and time, as it will be shown. */
function postedTime(now: Date): string {
  return now.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

/** The body of the call that lists the laptop. @param images the URLs of the hosted photos, in order */
export function newLaptopOf(
  answers: Answers,
  images: readonly string[],
  now: Date,
): z.input<typeof NewLaptop> {
  return {
    category_Id: answers.category_Id,
    name: answers.name,
    location: answers.location,
    image: images[0] ?? '',
    ...(images.length > 1 && { images: [...images] }),
    description: descriptionOf(answers),
    original_price: priceOf(answers.original_price),
    resale_price: priceOf(answers.resale_price),
    posted_time: postedTime(now),
    use_time: answers.useTime,
    mobile_number: answers.number,
    condition: answers.condition,
  };
}

/**
 * What is wrong with the answers, by field and in words: the contract's own rules, before anything is sent.
 * @param ownHost whether the photo goes to the built-in image host, whose limits are known
 */
export function problemsOf(answers: Answers, ownHost: boolean): Partial<Record<FieldName, string>> {
  const problems: Partial<Record<FieldName, string>> = {};
  const note = (field: FieldName | null, message: string | undefined) => {
    if (field !== null && message !== undefined) problems[field] ??= message;
  };
  const firstMessage = (schema: z.ZodMiniType, value: unknown) =>
    z.safeParse(schema, value).error?.issues[0]?.message;

  // A union's message cannot say which of its parts is wrong, so these are asked one by one.
  note('description', firstMessage(DescriptionText, answers.description));
  for (const field of configurationFields) {
    note(field, firstMessage(Configuration.shape[field], answers[field]));
  }
  const images = answers.photo.map((_, index) => `to be uploaded as ${index}`);
  const parsed = z.safeParse(NewLaptop, newLaptopOf(answers, images, new Date()));
  for (const { path, message } of parsed.error?.issues ?? []) note(fieldOf(path.join('.')), message);

  const large = answers.photo.find((photo) => photo.size > MAXIMUM_PHOTO_BYTES);
  if (ownHost && large !== undefined) {
    const which = answers.photo.length > 1 ? ` instead of ${large.name}` : '';
    note('photo', `A photo can be at most ${MAXIMUM_PHOTO_SIZE}. Please choose a smaller one${which}.`);
  }
  return problems;
}
