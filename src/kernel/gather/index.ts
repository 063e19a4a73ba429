/** Batches requests that are made one by one. */
export { gather } from "./gather.ts";
