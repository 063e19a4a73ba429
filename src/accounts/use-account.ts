import type { AccountClient } from "../platforms/index.ts";

export interface AccountKey {
  readonly workspaceId: string;
  readonly accountId: string;
}

/** Opens an account for a piece of work and lets go of it afterwards. */
export type UseAccount = <T>(
  account: AccountKey,
  work: (client: AccountClient) => Promise<T>,
) => Promise<T>;
