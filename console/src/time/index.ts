export { clockTime, dayOf, exactTime, relativeTime } from "./relative.ts";
export { useNow } from "./use-now.ts";
export { zonedTime } from "./zoned.ts";
