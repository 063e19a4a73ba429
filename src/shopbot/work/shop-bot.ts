import { type Service, serviceGroup } from "../../kernel/service/index.ts";
import { createWorker, idle } from "../../kernel/worker/index.ts";
import { createReplyCompiler } from "./compile-reply.ts";
import { remindOperators } from "./remind-operators.ts";
import { createSender, type SenderDeps } from "./reply-sender.ts";
import { createEngine } from "./turn-engine.ts";

export type ShopBotDeps = Omit<SenderDeps, "compile">;

/** How often to look for unanswered calls; a process that was not notified finds one within a minute. */
const remindMs = { whileCalled: 10_000, otherwise: 60_000 } as const;

/** Answers customers: one worker decides, one sends, one reminds operators. */
export function createShopBot(given: ShopBotDeps): Service {
  const deps = { ...given, compile: createReplyCompiler(given.platforms) };
  const { sql, log, timer } = deps;
  const engine = createEngine(deps);
  const sending = createSender(deps);
  const deciding = createWorker({
    name: "shopbot engine",
    log,
    trouble: "messages could not be worked on",
    notices: { sql, channel: "molva_shopbot", heard: (what) => what === "inbox" },
    timer,
    async round() {
      const { messages, hasCalled } = await engine.round();
      if (hasCalled) reminding.wake();
      if (messages === 0) return idle;
      sending.wake();
      return 0;
    },
  });
  const reminding = createWorker({
    name: "shopbot reminders",
    log,
    trouble: "operators could not be reminded",
    safetyNetMs: remindMs.otherwise,
    timer,
    async round() {
      const { isCalled, reminded } = await remindOperators(deps);
      if (reminded > 0) return 0;
      return isCalled ? remindMs.whileCalled : remindMs.otherwise;
    },
  });
  return serviceGroup("shopbot", [sending, deciding, reminding]);
}
