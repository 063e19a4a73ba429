import type { AccountClient, AccountDriver } from "../platforms/index.ts";
import { type AccountRefDeps, accountRefOf } from "./account-ref.ts";
import { found } from "./admin/access.ts";
import { accountsProblem } from "./admin/problems.ts";
import type { AccountKey } from "./work/governor-contract.ts";

/** Opens an account, runs `work` and closes it. */
export type UseAccount = <T>(account: AccountKey, work: (client: AccountClient) => Promise<T>) => Promise<T>;

export function createUseAccount(
  deps: AccountRefDeps & { readonly driver: Pick<AccountDriver, "open"> | undefined },
): UseAccount {
  return async (account, work) => {
    if (!deps.driver) throw accountsProblem("telegram_not_configured");
    const ref = found(await accountRefOf(deps, account), "account", account.accountId);
    const client = await deps.driver.open(ref);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };
}
