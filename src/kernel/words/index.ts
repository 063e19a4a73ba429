/** Numbers and times as people say them, in Russian and English. */
export { counted, type Forms } from "./counted.ts";
export { inTime } from "./in-time.ts";
