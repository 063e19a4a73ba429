import { stemOf, wordsOf } from "../language/index.ts";
import type { Region } from "../sources/yandex/client.ts";

/** Where demand is asked about. */
export interface FoundRegion {
  /** As Yandex numbers them. */
  readonly ids: readonly string[];
  /** As Yandex names them: stands beside every volume. */
  readonly name: string;
  /** Places that were given and are not in the tree. */
  readonly unknown: readonly string[];
}

/** Russia, which has this number in the tree; used where no place is given or known. */
const russia = { id: "225", name: "Россия" };
const everywhere = /^(?:вся )?(?:россия|рф|российская федерация|онлайн|интернет|-)$/i;
/** More regions than any person types. */
const mostPlaces = 10;
/** What stands before names of places: `г. Казань`, `город Казань`, `в Казани`. */
const before: ReadonlySet<string> = new Set(
  "г гор город в во и по обл область области край края республика республики".split(" "),
);

/**
 * The regions of Yandex that a text names: `Казань`, `г. Казань и Уфа`, `Свердловская область`. Cities are meant rather than regions
 * of the same name. Without a known place it is all of Russia.
 */
export function findRegion(tree: readonly Region[], places: string): FoundRegion {
  const given = places
    .replace(/\s/g, " ")
    .split(/[,;/]| и /)
    .map((place) => place.trim())
    .filter((place) => place !== "")
    .slice(0, mostPlaces);
  if (given.length === 0 || given.some((place) => everywhere.test(place)))
    return { ids: [russia.id], name: russia.name, unknown: [] };
  const regions = allOf(tree);
  const whole = regionNamed(regions, places);
  if (whole) return { ids: [whole.id], name: whole.name, unknown: [] };
  const found = given.map((place) => ({ place, region: regionNamed(regions, place) }));
  const known = [...new Map(found.flatMap(({ region }) => (region ? [[region.id, region]] : []))).values()];
  const unknown = found.flatMap(({ place, region }) => (region ? [] : [place]));
  if (known.length === 0) return { ids: [russia.id], name: russia.name, unknown };
  return { ids: known.map(({ id }) => id), name: known.map(({ name }) => name).join(", "), unknown };
}

function allOf(tree: readonly Region[]): Region[] {
  return tree.flatMap((region) => [region, ...allOf(region.children)]);
}

/**
 * The region with these words in any form and no others; the smallest of them, so that `Москва` is the city. A region may be named by
 * a part: `Московская область` is in `Москва и Московская область`.
 */
function regionNamed(regions: readonly Region[], place: string): Region | undefined {
  const wanted = wordsIn(place);
  if (wanted.length === 0) return undefined;
  const isRegion = /(?:^|\s)(?:обл|край)/i.test(place);
  return regions
    .filter(({ name }) => {
      const words = wordsIn(name);
      return (isRegion || words.length === wanted.length) && wanted.every((word) => words.includes(word));
    })
    .toSorted((one, other) => one.children.length - other.children.length)[0];
}

/** Parts of a compound name decline on their own: `в Ростове-на-Дону`. */
function wordsIn(text: string): string[] {
  return wordsOf(text)
    .flatMap(({ folded }) => folded.split("-"))
    .filter((word) => !before.has(word))
    .map(stemOf);
}
