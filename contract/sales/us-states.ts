/** The states of the United States, with its territories and the regions of military addresses, by the letters of the Postal Service. */
const states: ReadonlyMap<string, string> = new Map(
  `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, DC District of Columbia,
  FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine,
  MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada,
  NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon,
  PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia,
  WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, AS American Samoa, GU Guam, MP Northern Mariana Islands,
  PR Puerto Rico, VI Virgin Islands, AA Armed Forces Americas, AE Armed Forces Europe, AP Armed Forces Pacific`
    .split(/,\s+/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3).toLowerCase()]),
);

/** The letters of a state, such as `OR`; undefined when it is none. @param typed its letters or its name, in small or capital letters */
export function stateLetters(typed: string): string | undefined {
  const letters = typed.toUpperCase();
  if (states.has(letters)) return letters;
  const name = typed.toLowerCase().replace(/\s+/g, ' ');
  return [...states].find(([, stateName]) => stateName === name)?.[0];
}
