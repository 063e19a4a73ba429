import { yes } from "../answers.ts";
import { type Connections, ifBusy, unlessBusy } from "../connections/index.ts";
import type { AccountClient, AccountRef, Answer } from "../contract.ts";
import type { TwinConnection } from "./connection.ts";
import { join, refused } from "./join.ts";
import { send } from "./send.ts";
import { chatOf, dialogsShape, personOf, personShape } from "./shapes.ts";

export function twinClient(account: AccountRef, connections: Connections<TwinConnection>): AccountClient {
  const letGo = connections.hold(account);
  const use = <T>(work: (twin: TwinConnection) => Promise<T>) => connections.use(account, work);
  const ask = <T>(work: (twin: TwinConnection) => Promise<Answer<T>>) => unlessBusy(use(work));

  return {
    send: (post, signal) =>
      use((twin) => send(twin, post, signal)).catch((error: unknown) => ({
        kind: "failed",
        error: ifBusy(error),
      })),
    chats: () =>
      ask(async (twin) => {
        const result = await twin.call("getDialogs", {});
        if (result.kind !== "done") return refused(result);
        const { chats } = dialogsShape.parse(result.body);
        await twin.remember(chats);
        return yes(chats.filter(({ canWrite }) => canWrite).flatMap((chat) => chatOf(chat) ?? []));
      }),
    join: (link) => ask((twin) => join(twin, link)),
    me: () =>
      ask(async (twin) => {
        const result = await twin.call("getMe", {});
        return result.kind === "done" ? yes(personOf(personShape.parse(result.body))) : refused(result);
      }),
    logOut: () =>
      ask(async (twin) => {
        const result = await twin.call("logOut", {});
        if (result.kind !== "done") return refused(result);
        await twin.values.clear();
        return yes(undefined);
      }),
    close: letGo,
  };
}
