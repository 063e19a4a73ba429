import { yes } from "../answers.ts";
import type { ConnectionSettings } from "../connections/index.ts";
import type { AccountDriver, AccountRef } from "../contract.ts";
import { createDriver, type OpenAccount } from "../driver.ts";
import { openTwin, type TwinDeps } from "./connection.ts";
import { join, refused } from "./join.ts";
import { twinLogins } from "./logins.ts";
import { send } from "./send.ts";
import { chatOf, dialogsShape, personOf, personShape } from "./shapes.ts";

export interface TwinDriverDeps extends TwinDeps {
  readonly connections?: Partial<ConnectionSettings>;
  onError?(error: unknown): void;
}

/** Accounts of the twin instead of Telegram's, over HTTP. */
export function createTwinDriver(deps: TwinDriverDeps): AccountDriver {
  return createDriver({ ...deps, open: (account) => openAccount(deps, account) });
}

async function openAccount(deps: TwinDeps, account: AccountRef): Promise<OpenAccount> {
  const twin = await openTwin(deps, account);
  return {
    ...twinLogins(twin),
    send: (post, signal) => send(twin, post, signal),
    async chats() {
      const result = await twin.call("getDialogs", {});
      if (result.kind !== "done") return refused(result);
      const { chats } = dialogsShape.parse(result.body);
      await twin.remember(chats);
      return yes(chats.filter(({ canWrite }) => canWrite).flatMap((chat) => chatOf(chat) ?? []));
    },
    join: (link) => join(twin, link),
    async me() {
      const result = await twin.call("getMe", {});
      return result.kind === "done" ? yes(personOf(personShape.parse(result.body))) : refused(result);
    },
    async logOut() {
      const result = await twin.call("logOut", {});
      return result.kind === "done" ? yes(undefined) : refused(result);
    },
    shut: () => twin.shut(),
  };
}
