import * as z from 'zod/mini';
import {
  type Brand,
  Configuration,
  conditions,
  configurationFields,
  DescriptionText,
  deliveryOffers,
  NewLaptop,
  type OwnListing,
} from '#contract/listings/catalogue.ts';
import { MAXIMUM_PHOTO_BYTES, MAXIMUM_PHOTO_SIZE } from '#contract/listings/photos.ts';
import { readPhoneText } from '#contract/people/telephone.ts';
import { formatPostedTime } from '../formats/posted-time.ts';
import type { FieldErrors } from '../forms/apply-problem.ts';
import { readAmount } from '../forms/typed-amount.ts';
import { PhotoDetails, photoTexts, toPhotoDetails } from './photo-details.ts';
import type { FormPhoto } from './photo-list.ts';

const text = z._default(z.string(), '');

/**
 * The values of the form that can be stored, as typed, with those of an empty form as defaults. The names are those of
 * the specification's section 5.
 */
export const Draft = z.object({
  name: text,
  category_Id: text,
  original_price: text,
  resale_price: text,
  condition: z._default(z.enum(conditions), conditions[0]),
  useTime: text,
  location: text,
  number: text,
  delivery: z._default(z.enum(deliveryOffers), 'meet'),
  ships_from: text,
  description: text,
  Processor: text,
  Graphics: text,
  Display: text,
  Memory: text,
  Storage: text,
  Battery: text,
  Operating: text,
  /** Of the laptop when it was read; 0 for one that is not listed yet. */
  version: z._default(z.int(), 0),
  /** What the seller says about the photos. */
  details: z._default(PhotoDetails, {}),
});
export type Draft = z.output<typeof Draft>;

/** The values of the form. `photo`: in display order. */
export type FormValues = Draft & { photo: readonly FormPhoto[] };

/** In display order. */
export const emptyValues: FormValues = { photo: [], ...Draft.parse({}) };

/**
 * The brands to choose from, in the order of the shop. The first is the default: in a new shop HP.
 * @param own the laptop's, which it keeps when the brand is hidden
 */
export function brandChoices(brands: readonly Pick<Brand, 'category_Id'>[], own?: string): string[] {
  const names = brands.map((brand) => brand.category_Id);
  return own === undefined || names.includes(own) ? names : [...names, own];
}

/** The fields of the request that have another name than their form field. */
const formNames: Readonly<Record<string, string>> = {
  use_time: 'useTime',
  mobile_number: 'number',
  image: 'photo',
  images: 'photo',
  captions: 'photo',
  kinds: 'photo',
};

/** The path in the form for a path of the request. */
export const formPathOf = (path: string): string => formNames[path.split('.')[0] ?? ''] ?? path;

/**
 * Parses a typed price.
 * @returns the text when it is not a price, so that the contract's validation reports it
 */
export function parsePrice(typed: string): number | string {
  const amount = readAmount(typed);
  return amount === null ? typed.trim() : Number(amount);
}

function descriptionOf(values: FormValues): string | Record<string, string> {
  const configuration = configurationFields
    .map((field) => [field, values[field].trim()] as const)
    .filter(([, value]) => value !== '');
  const text = values.description.trim();
  return configuration.length === 0 ? text : { ...Object.fromEntries(configuration), Notes: text };
}

/** The values that change a listed laptop. */
export function toFormValues(laptop: OwnListing): FormValues {
  const { description, original_price, resale_price } = laptop;
  const { Notes = '', ...configuration } =
    typeof description === 'string' ? { Notes: description } : description;
  return {
    ...emptyValues,
    ...Draft.parse({
      ...laptop,
      ...configuration,
      description: Notes,
      original_price: String(original_price),
      resale_price: String(resale_price),
      ships_from: laptop.ships_from ?? '',
      useTime: laptop.use_time,
      number: laptop.mobile_number ?? '',
    }),
    photo: laptop.images,
    details: toPhotoDetails(laptop),
  };
}

/**
 * Builds the part of a request that says something about the laptop.
 * @param images the URL of each photo, in order; the same for files with the same content
 */
export function toListing(
  values: FormValues,
  images: readonly string[],
): Omit<z.input<typeof NewLaptop>, 'posted_time'> {
  const urls = [...new Set(images)];
  return {
    category_Id: values.category_Id,
    name: values.name,
    location: values.location,
    image: urls[0] ?? '',
    ...(urls.length > 1 && { images: urls }),
    ...photoTexts(values.photo, values.details, images),
    description: descriptionOf(values),
    original_price: parsePrice(values.original_price),
    resale_price: parsePrice(values.resale_price),
    use_time: values.useTime,
    mobile_number: values.number,
    condition: values.condition,
    delivery: values.delivery,
    ...(values.delivery !== 'meet' && values.ships_from !== '' && { ships_from: values.ships_from }),
  };
}

/**
 * Builds the body of the request.
 * @param images the URL of each photo, in order
 * @param draftId the laptop's draft; null without one
 */
export function toNewLaptop(
  values: FormValues,
  images: readonly string[],
  now: Date,
  draftId: string | null = null,
): z.input<typeof NewLaptop> {
  return {
    ...toListing(values, images),
    posted_time: formatPostedTime(now),
    ...(draftId !== null && { draftId }),
  };
}

/**
 * Validates the form by the contract's schema and returns a message per field, in display order.
 * @param ownHost whether photos go to the built-in image host, whose size limit is known
 */
export function validationErrors(values: FormValues, ownHost: boolean): FieldErrors {
  const problems: Record<string, string | undefined> = {};
  const firstMessage = (schema: z.ZodMiniType, value: unknown) =>
    z.safeParse(schema, value).error?.issues[0]?.message;

  // The description is a union, whose message names no field. So its parts are validated one by one.
  problems.description = firstMessage(DescriptionText, values.description);
  for (const field of configurationFields) {
    problems[field] = firstMessage(Configuration.shape[field], values[field]);
  }
  const images = values.photo.map((_, index) => `to be uploaded as ${index}`);
  const parsed = z.safeParse(NewLaptop, toNewLaptop(values, images, new Date()));
  for (const { path, message } of parsed.error?.issues ?? []) {
    if (path[0] !== 'description') problems[formPathOf(path.join('.'))] ??= message;
  }
  const phone = readPhoneText(values.number);
  if ('refusal' in phone) problems.number ??= phone.refusal;

  const large = values.photo.find((photo) => photo instanceof File && photo.size > MAXIMUM_PHOTO_BYTES);
  if (ownHost && large instanceof File) {
    const which = values.photo.length > 1 ? ` instead of ${large.name}` : '';
    problems.photo ??= `A photo can be at most ${MAXIMUM_PHOTO_SIZE}. Please choose a smaller one${which}.`;
  }
  return Object.fromEntries(
    Object.keys(emptyValues).flatMap((field) => {
      const message = problems[field];
      return message === undefined ? [] : [[field, message] as const];
    }),
  );
}
