/** Filters that a person keeps under a name, in this browser. Pure, apart from the store itself. */
import * as z from "zod/mini";
import { stored } from "../../preferences/stored.ts";

const savedFilter = z.object({ workspace: z.string(), name: z.string(), query: z.string() });
export type SavedFilter = z.infer<typeof savedFilter>;

/** Kept as text: what an older version or another page wrote there is forgotten. */
export const savedFilters = stored<string>("molva.deliveries.filters", (text) =>
  JSON.stringify(filtersIn(text ?? "")),
);

export function filtersIn(text: string): SavedFilter[] {
  try {
    return z.array(savedFilter).safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return [];
  }
}

/** Another filter of the same name in the workspace is replaced. */
export function withFilter(filters: readonly SavedFilter[], added: SavedFilter): SavedFilter[] {
  return [...withoutFilter(filters, added), added];
}

export function withoutFilter(
  filters: readonly SavedFilter[],
  { workspace, name }: Pick<SavedFilter, "workspace" | "name">,
): SavedFilter[] {
  return filters.filter((each) => each.workspace !== workspace || each.name !== name);
}
