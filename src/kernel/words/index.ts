/** Numbers, times and shortened texts as people read them, in Russian and English. */
export { counted, type Forms } from "./counted.ts";
export { cut } from "./cut.ts";
export { inTime, lasting } from "./in-time.ts";
