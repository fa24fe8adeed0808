// Imported by every page, so it holds nothing else.

/** The path of a picture of the shop. Its name changes with its content, so browsers keep it. */
export const shopPicturePath = ({ name }: { name: string }): string => `/shop-pictures/${name}`;
