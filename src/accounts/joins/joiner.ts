import { createLoop, type Service } from "../../kernel/service/index.ts";
import { type JoinDeps, joinNext } from "./step.ts";

const rests = { tickMs: 15_000, failedMs: 5_000 } as const;

/** Joins chats as they come due. Any number of them may work side by side: they meet in the database. */
export function createJoiner(deps: JoinDeps & { readonly tickMs?: number }): Service {
  const tickMs = deps.tickMs ?? rests.tickMs;
  const loop = createLoop(async () => {
    try {
      return (await joinNext(deps)) ? 0 : tickMs;
    } catch (error) {
      deps.log.error({ err: error }, "a chat could not be joined");
      return rests.failedMs;
    }
  });
  return {
    name: "account-joins",
    start: async () => loop.start(),
    stop: () => loop.stop(),
  };
}
