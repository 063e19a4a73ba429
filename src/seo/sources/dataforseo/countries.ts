import type { Said } from "../../said.ts";

/** Countries of Google in which people search in Russian, by Google's codes. */
const countries: Readonly<Record<number, Said>> = {
  2804: { ru: "Украина", en: "Ukraine" },
  2398: { ru: "Казахстан", en: "Kazakhstan" },
  2112: { ru: "Беларусь", en: "Belarus" },
  2860: { ru: "Узбекистан", en: "Uzbekistan" },
  2417: { ru: "Киргизия", en: "Kyrgyzstan" },
  2428: { ru: "Латвия", en: "Latvia" },
  2376: { ru: "Израиль", en: "Israel" },
};

export function countryOf(code: number | undefined): Said {
  const known = code === undefined ? undefined : countries[code];
  return known ?? { ru: `страна ${code ?? "не задана"}`, en: `country ${code ?? "not set"}` };
}
