import { z } from "zod";
import { lineOfText } from "../../http/index.ts";

const names = z.array(lineOfText({ min: 1, max: 200 })).max(200);
const price = z.number().min(0);

export const chatFilters = z
  .strictObject({
    common: z.boolean().describe("Takes every object"),
    room_types: names,
    districts: names.describe("Matches an object in one of them or in a district inside one of them"),
    price_min: price.describe("This price and above"),
    price_max: price.describe("Below this price"),
    category: lineOfText({ min: 1, max: 200 }).describe(
      "The older single filter: a room type, a district or the object's category; used when no other is set",
    ),
  })
  .partial()
  .refine(
    ({ price_min, price_max }) => price_min === undefined || price_max === undefined || price_min < price_max,
    { path: ["price_max"], message: "It must be above price_min" },
  );
export type ChatFilters = z.output<typeof chatFilters>;

/** The object fields that filters use; other fields are for texts and templates. */
export const routedFields = z.looseObject({
  room_type: lineOfText({ min: 1, max: 200 }).optional(),
  districts: names.optional(),
  price: price.optional(),
  category: lineOfText({ min: 1, max: 200 }).optional(),
});
type RoutedFields = z.output<typeof routedFields>;

/** Parent district of each district. */
type DistrictParents = Readonly<Record<string, string | null>>;

type Mismatch = "room_type" | "district" | "price" | "category" | "no_filters";

/** Undefined if the chat accepts the object, else the first filter that does not match. */
export function mismatch(
  filters: ChatFilters,
  fields: RoutedFields,
  parents: DistrictParents,
): Mismatch | undefined {
  if (filters.common) return undefined;
  const { room_types = [], districts = [], price_min, price_max, category } = filters;
  const around = withParents(fields.districts ?? [], parents);
  const hasPrice = price_min !== undefined || price_max !== undefined;
  if (room_types.length === 0 && districts.length === 0 && !hasPrice) {
    if (!category) return "no_filters";
    const named = [fields.category, fields.room_type].filter((name) => name !== undefined).map(fold);
    return named.includes(fold(category)) || around.has(fold(category)) ? undefined : "category";
  }
  if (room_types.length > 0 && !isOneOf(fields.room_type, room_types)) return "room_type";
  if (districts.length > 0 && !districts.some((name) => around.has(fold(name)))) return "district";
  if (hasPrice && !isWithin(fields.price, price_min, price_max)) return "price";
  return undefined;
}

function isOneOf(name: string | undefined, wanted: readonly string[]): boolean {
  return name !== undefined && wanted.map(fold).includes(fold(name));
}

function isWithin(value: number | undefined, min = 0, below = Number.POSITIVE_INFINITY): boolean {
  return value !== undefined && value >= min && value < below;
}

/** The districts and all their ancestors; stops at a cycle. */
function withParents(districts: readonly string[], parents: DistrictParents): Set<string> {
  const parentOf = new Map<string, string>();
  for (const [child, parent] of Object.entries(parents)) if (parent) parentOf.set(fold(child), fold(parent));
  const around = new Set<string>();
  for (const district of districts) {
    let name: string | undefined = fold(district);
    while (name !== undefined && !around.has(name)) {
      around.add(name);
      name = parentOf.get(name);
    }
  }
  return around;
}

const fold = (name: string) => name.trim().toLocaleLowerCase("ru");
