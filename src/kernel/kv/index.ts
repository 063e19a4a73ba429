export { createKeyValue, type KeyValueSettings } from "./create-key-value.ts";
export { type KeyValue, type Life, NotACounterError } from "./key-value.ts";
