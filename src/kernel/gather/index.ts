/** Asking once for many who ask one by one. */
export { gather } from "./gather.ts";
