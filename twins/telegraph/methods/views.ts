import { pageOf } from "../access.ts";
import { ApiError } from "../api-error.ts";
import type { Method } from "../call.ts";
import type { Params } from "../params.ts";
import { viewsOf } from "../wire.ts";

/** The number of views: total, or within a year, month, day or hour. A smaller unit requires all larger ones. */
export const getViews: Method = (call, deps) => ({
  result: { views: viewsOf(pageOf(call, deps), hoursOf(call.params)) },
});

const parts = [
  { name: "year", least: 2000, most: 2100, before: "" },
  { name: "month", least: 1, most: 12, before: "-" },
  { name: "day", least: 1, most: 31, before: "-" },
  { name: "hour", least: 0, most: 24, before: "T" },
] as const;

/** The prefix of the requested hours, such as `2026-11-15T`. */
function hoursOf(params: Params): string {
  const last = parts.findLastIndex(({ name }) => params.text(name) !== undefined);
  return parts
    .slice(0, last + 1)
    .map(({ name, least, most, before }) => {
      if (params.text(name) === undefined) throw new ApiError(`${name.toUpperCase()}_REQUIRED`);
      const value = params.whole(name);
      if (value === undefined || value < least || value > most)
        throw new ApiError(`${name.toUpperCase()}_INVALID`);
      return `${before}${String(value).padStart(2, "0")}`;
    })
    .join("");
}
