export { createKeyValue } from "./create-key-value.ts";
export type { KeyValue, Life } from "./key-value.ts";
