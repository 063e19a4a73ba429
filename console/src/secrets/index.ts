export { NetworksField } from "./networks-field.tsx";
export { OverlapField } from "./overlap-field.tsx";
export { type Secret, ShownOnce } from "./shown-once.tsx";
export { useMade } from "./use-made.ts";
