import { no } from "../answers.ts";
import type { ConnectionSettings } from "../connections/index.ts";
import type { AccountDriver, AccountRef } from "../contract.ts";
import { createDriver, type OpenAccount } from "../driver.ts";
import { readChatLink } from "../links.ts";
import { badLink } from "../peers.ts";
import { writableChats } from "./chats.ts";
import { answered } from "./failure.ts";
import { join } from "./join.ts";
import { mtcuteLogins, personOf, self } from "./logins.ts";
import { send } from "./send.ts";
import { type MtcuteDeps, openSession } from "./session.ts";

export interface MtcuteDriverDeps extends MtcuteDeps {
  readonly connections?: Partial<ConnectionSettings>;
  onError?(error: unknown): void;
}

/** Accounts at Telegram itself. */
export function mtcuteDriver(deps: MtcuteDriverDeps): AccountDriver {
  return createDriver({ ...deps, open: (account) => openAccount(deps, account) });
}

async function openAccount(deps: MtcuteDeps, account: AccountRef): Promise<OpenAccount> {
  const session = await openSession(deps, account);
  return {
    ...mtcuteLogins(session),
    send: (post, signal) => send(session, post, signal),
    chats: () => answered(writableChats(session)),
    async join(text) {
      const link = readChatLink(text);
      return link ? answered(join(session, link)) : no(badLink(text));
    },
    me: () => answered(self(session).then(personOf)),
    logOut: () => answered(session.call({ _: "auth.logOut" }).then(() => undefined)),
    shut: () => session.shut(),
  };
}
