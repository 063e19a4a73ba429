import type { SealedStore } from "../kernel/sealed/index.ts";

/** What belongs to signed-in accounts and is stored encrypted. */
export const sealedAccounts: readonly SealedStore[] = [
  {
    kind: "column",
    name: "sessions of accounts",
    table: "accounts.session_values",
    key: ["workspace_id", "account_id", "kind", "key"],
    column: "value",
    ifLost: "sign these accounts in again: `molva account login`",
  },
  {
    kind: "column",
    name: "proxies of accounts",
    table: "accounts.proxies",
    key: ["workspace_id", "account_id"],
    column: "address",
    ifLost: "set the proxies again: `molva account proxy`",
  },
  {
    kind: "column",
    name: "sign-ins under way",
    table: "accounts.login_attempts",
    key: ["workspace_id", "id"],
    column: "code_hash",
    ifLost: "begin these sign-ins again: `molva account login`",
  },
];
