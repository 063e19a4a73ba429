import type { SealedStore } from "../kernel/sealed/index.ts";
import { platformNames } from "../platforms/index.ts";
import { givenPrefix } from "./consent/consent-store.ts";
import { placeOfPayload } from "./payloads/payload-store.ts";

/** What this module stores encrypted, besides the secrets of `workspaces`. */
export const sealedDelivery: readonly SealedStore[] = [
  {
    kind: "objects",
    name: "raw payloads",
    table: "delivery.payloads",
    key: ["workspace_id", "payload_ref"],
    storageKey: "storage_key",
    expiresAt: "expires_at",
    place: placeOfPayload,
    ifLost: "nothing is to be done: they expire by themselves, and only people who look for errors read them",
  },
  {
    kind: "keys",
    name: "accounts being connected",
    prefixes: platformNames.map(givenPrefix),
    place: (key) => key,
    ifLost: "nothing is to be done: they expire within half an hour, and the person connects again",
  },
];
