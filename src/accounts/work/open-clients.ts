import type { AccountClient } from "../../platforms/index.ts";
import { accountRefOf } from "../account-ref.ts";
import type { AccountKey } from "./governor-contract.ts";
import type { WorkDeps } from "./work-deps.ts";

/** Open clients of this process: each stays open until its account stops or its device or proxy changes. */
interface Clients {
  of(account: AccountKey): Promise<AccountClient>;
  drop(account: AccountKey): Promise<void>;
  close(): Promise<void>;
}

export function createClients(deps: WorkDeps): Clients {
  const open = new Map<string, { readonly as: string; readonly client: AccountClient }>();

  async function drop(account: AccountKey): Promise<void> {
    const key = keyOf(account);
    const known = open.get(key);
    open.delete(key);
    await known?.client.close();
  }

  return {
    async of(account) {
      const ref = await accountRefOf(deps, account);
      if (!ref) throw new Error(`there is no account ${account.accountId}`);
      const as = JSON.stringify(ref);
      const known = open.get(keyOf(account));
      if (known?.as === as) return known.client;
      await drop(account);
      const client = await deps.driver.open(ref);
      open.set(keyOf(account), { as, client });
      return client;
    },
    drop,
    async close() {
      const clients = [...open.values()];
      open.clear();
      await Promise.all(clients.map(({ client }) => client.close()));
    },
  };
}

export const keyOf = ({ workspaceId, accountId }: AccountKey) => `${workspaceId} ${accountId}`;
