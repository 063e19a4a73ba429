import type { SealedStore } from "../../../kernel/sealed/index.ts";

export const sealedSecondFactors: readonly SealedStore[] = [
  {
    kind: "column",
    name: "second factors of operators",
    table: "molva.second_factors",
    key: ["operator_id"],
    column: "secret",
    ifLost: "let these operators set up a new one: `molva second-factor reset <login>`",
  },
];
