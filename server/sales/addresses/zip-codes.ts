/**
 * How the ZIP codes of each state begin, by the data of Google's libaddressinput (https://chromium-i18n.appspot.com/ssl-address/data/US).
 * Territories and military addresses are left out. A code that crosses a border belongs to the state of its post office.
 */
const beginnings: ReadonlyMap<string, RegExp> = new Map(
  `AL=3[56] AK=99[5-9] AZ=8[56] AR=71[6-9]|72 CA=9[0-5]|96[01] CO=8[01] CT=06 DE=19[7-9] DC=20[02-5]|569 FL=3[23]|34[1-9]
   GA=3[01]|398|39901 HI=967[0-8]|9679[0-8]|968 ID=83[2-9] IL=6[0-2] IN=4[67] IA=5[0-2] KS=6[67] KY=4[01]|42[0-7] LA=70|71[0-5]
   ME=039|04 MD=20[6-9]|21 MA=01|02[0-7]|05501|05544 MI=4[89] MN=55|56[0-7] MS=38[6-9]|39[0-7] MO=6[3-5] MT=59 NE=6[89] NV=889|89
   NH=03[0-8] NJ=0[78] NM=87|88[0-4] NY=1[0-4]|06390|00501|00544 NC=2[78] ND=58 OH=4[3-5] OK=7[34] OR=97 PA=1[5-8]|19[0-6]
   RI=02[89] SC=29 SD=57 TN=37|38[0-5] TX=7[5-9]|885|73301|73344 UT=84 VT=05 VA=201|2[23]|24[0-6] WA=98|99[0-4]
   WV=24[7-9]|2[56] WI=5[34] WY=82|83[01]|83414`
    .split(/\s+/)
    .map((entry) => {
      const [state = '', codes = ''] = entry.split('=');
      return [state, new RegExp(`^(?:${codes})`)];
    }),
);

/** Whether a ZIP code is one of a state; undefined for letters that are none. @param state in capital letters */
export const isZipOf = (state: string, zip: string): boolean | undefined => beginnings.get(state)?.test(zip);
