/** What is stored encrypted, and how it is read or encrypted again without knowing what it is. */
export { type Inspected, type InspectOptions, inspectStore, mostNamed } from "./inspect.ts";
export type { SealedDeps } from "./open-store.ts";
export { type Rotated, rotateStore } from "./rotate.ts";
export type { SealedColumn, SealedKeys, SealedObjects, SealedStore } from "./sealed-store.ts";
