import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { keepChatFound } from "../admin/channels/chat-found.ts";
import type { CorrectionCarryDeps } from "../corrections/carry-correction.ts";
import { takeCorrectionTurn } from "../corrections/corrections-queue.ts";
import type { PayloadStore } from "../payloads/payload-store.ts";
import type { CarryDeps } from "./carry.ts";
import { createDeparture } from "./departure.ts";
import { Interrupted } from "./interrupted.ts";
import { saveProgress, type Turn, takenMessages, takeTurn } from "./queue.ts";
import { renderLate } from "./render-late.ts";

/** The dependencies of a process that sends deliveries. */
export interface CarryingDeps
  extends Omit<
    CarryDeps,
    "chatFound" | "departure" | "keepAnswer" | "leaseMs" | "render" | "saveProgress" | "taken" | "turn"
  > {
  readonly sql: Sql;
  readonly payloads: Pick<PayloadStore, "save">;
  /** After this time another process may take over what this one was sending. */
  readonly sendingLeaseSeconds: number;
}

/** If the group's cooldown is longer than this, a series frees its place and continues in another attempt. */
const longestCoolingMs = 60_000;
/** A series that waits for its channel's own pace asks this often, which renews its lease. */
const renewEveryMs = 60_000;

/** How this process sends deliveries and corrections until it has to stop, and only while its claims are known to be valid. */
export function carryDepsOf(
  deps: CarryingDeps,
  leaving: AbortSignal,
  isKnownAlive: () => boolean,
): CarryDeps & CorrectionCarryDeps {
  const { sql, clock, log } = deps;
  return {
    ...deps,
    render: (delivery) => renderLate(sql, delivery, deps.platforms),
    async saveProgress(delivery, index, id) {
      if (!(await saveProgress(sql, delivery, index, id)))
        throw new Interrupted("somebody else sends it now");
    },
    keepAnswer: (delivery, raw) =>
      deps.payloads
        .save(delivery.workspace_id, "provider_answer", JSON.stringify(raw))
        .catch((error: unknown) => {
          log.warn(
            { err: error, delivery_id: delivery.delivery_id },
            "the provider's answer could not be kept",
          );
          return undefined;
        }),
    chatFound: (delivery, found) => keepChatFound(sql, delivery, found, clock.now()),
    taken: (delivery, ids) => takenMessages(sql, delivery, ids),
    departure: createDeparture(clock, deps.sendingLeaseSeconds * 1_000, isKnownAlive),
    leaseMs: deps.sendingLeaseSeconds * 1_000,
    turn: (delivery) => waitForTurn(() => takeTurn(sql, delivery, clock.now()), clock, leaving),
    correctionTurn: (correction) =>
      waitForTurn(() => takeCorrectionTurn(sql, correction, clock.now()), clock, leaving),
  };
}

/** Asks until one more request may be sent, and waits until its time. */
export async function waitForTurn(
  ask: () => Promise<Turn | undefined>,
  clock: Clock,
  leaving: AbortSignal,
): Promise<void> {
  for (let granted = false; !granted; ) {
    const turn = await ask();
    if (!turn) throw new Interrupted("somebody else sends it now");
    const waitMs = turn.at.getTime() - clock.now().getTime();
    if (turn.cooling && waitMs > longestCoolingMs)
      throw new Interrupted("the provider wants to be left alone", waitMs);
    // A Date has no microseconds, so the wait includes the whole last millisecond.
    if (waitMs > 0)
      await delay(Math.min(waitMs + 1, renewEveryMs), undefined, { signal: leaving }).catch(() => {
        throw new Interrupted("the process has to stop");
      });
    ({ granted } = turn);
  }
}
