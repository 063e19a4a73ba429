import type { Service } from "../../kernel/service/index.ts";
import { createWorker } from "../../kernel/worker/index.ts";
import { type JoinDeps, joinNext } from "./step.ts";

/** Joins chats as they come due. Any number of them may work side by side: they meet in the database. */
export function createJoiner(deps: JoinDeps & { readonly tickMs?: number }): Service {
  const { log, tickMs = 15_000 } = deps;
  return createWorker({
    name: "account-joins",
    log,
    trouble: "a chat could not be joined",
    async round() {
      return (await joinNext(deps)) ? 0 : tickMs;
    },
  });
}
