import type { SealedStore } from "../../kernel/sealed/index.ts";

/** Credentials of every platform and bot, and the secrets of sources, alert targets, sites, endpoints and webhooks: all that a `vault:` names. */
export const sealedSecrets: readonly SealedStore[] = [
  {
    kind: "column",
    name: "credentials and other secrets",
    table: "workspaces.secrets",
    key: ["workspace_id", "secret_id"],
    column: "ciphertext",
    ifLost:
      "set them again, with `molva credential set` and in the sources and alert targets that have one; rotate webhooks and signing endpoints; connect accounts and sites anew",
  },
];
