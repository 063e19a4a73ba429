import { type Listener, listen } from "../../kernel/db/index.ts";
import { createLoop, type Service } from "../../kernel/service/index.ts";
import { createReplyCompiler } from "./compile-reply.ts";
import { createEngine } from "./engine.ts";
import { remindOperators } from "./reminders.ts";
import { createSender, type SenderDeps } from "./sender.ts";

export type ShopBotDeps = Omit<SenderDeps, "compile">;

/** How long to rest when nothing is heard, and after a failure. */
const rests = { idleMs: 5_000, failedMs: 1_000, remindMs: 10_000 } as const;

/** Answers customers: one loop decides, another sends; both are woken when something is committed. */
export function createShopBot(deps: ShopBotDeps): Service {
  const { sql, log } = deps;
  const compile = createReplyCompiler(deps.platforms);
  const engine = createEngine({ ...deps, compile });
  const sender = createSender({ ...deps, compile }, () => sending.wake());
  const failed = (error: unknown, what: string): number => {
    log.error({ err: error }, what);
    return rests.failedMs;
  };
  const deciding = createLoop(async () => {
    try {
      const count = await engine.round();
      if (count > 0) sending.wake();
      return count > 0 ? 0 : rests.idleMs;
    } catch (error) {
      return failed(error, "messages could not be worked on");
    }
  });
  const sending = createLoop(async () => {
    try {
      return await sender.round();
    } catch (error) {
      return failed(error, "replies could not be taken");
    }
  });
  const reminding = createLoop(async () => {
    try {
      return (await remindOperators({ ...deps, compile })) > 0 ? 0 : rests.remindMs;
    } catch (error) {
      return failed(error, "operators could not be reminded");
    }
  });
  let listener: Listener | undefined;
  return {
    name: "shopbot",
    async start() {
      listener = await listen(sql, "molva_shopbot", {
        onNotify: (what) => (what === "outbox" ? sending : deciding).wake(),
        onReady() {
          deciding.wake();
          sending.wake();
        },
      });
      deciding.start();
      sending.start();
      reminding.start();
    },
    async stop() {
      await listener?.close();
      listener = undefined;
      await Promise.all([deciding.stop(), sending.stop(), reminding.stop()]);
      await sender.drained();
    },
  };
}
