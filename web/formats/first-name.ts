/** The first word of a person's name. */
export function firstName(name: string): string {
  return name.trim().split(/\s/u)[0] ?? name;
}
