import type { AccountClient } from "../platforms/index.ts";

export interface AccountKey {
  readonly workspaceId: string;
  readonly accountId: string;
}

/** Works with an account that nobody else has open meanwhile; says so when somebody has. */
export type UseAccount = <T>(
  account: AccountKey,
  work: (client: AccountClient) => Promise<T>,
) => Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: "busy" }>;
