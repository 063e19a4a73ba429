import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { type Settlement, settle } from "./books.ts";

/**
 * Writes down how calls have ended, behind their answers: until it is done, what was held for a call stays held, so nothing
 * can be spent twice. Calls that end within a moment, or while others are being written, are written together: all of them
 * need the lock of the same books, and each writing is a commit.
 */
export interface Settling {
  settle(call: Settlement): void;
  /** Resolves when everything that has ended is written; whoever waits for it does not wait for more to come. */
  done(): Promise<void>;
}

export interface SettlingDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly pause: (milliseconds: number) => Promise<void>;
}

const momentMs = 100;
const most = 100;
const tries = 3;

export function createSettling(deps: SettlingDeps): Settling {
  const waiting: Settlement[] = [];
  let writing: Promise<void> | undefined;
  let hurry = () => {};

  async function write(): Promise<void> {
    await new Promise<void>((resolve) => {
      const moment = setTimeout(resolve, momentMs);
      hurry = () => {
        clearTimeout(moment);
        resolve();
      };
    });
    for (let calls = waiting.splice(0, most); calls.length > 0; calls = waiting.splice(0, most))
      await settleOrTell(calls, deps);
    writing = undefined;
  }

  return {
    settle(call) {
      waiting.push(call);
      writing ??= write();
    },
    async done() {
      hurry();
      await writing;
    },
  };
}

/** An answer that was paid for is not lost because the books could not be written: the reservation runs out by itself. */
async function settleOrTell(calls: readonly Settlement[], deps: SettlingDeps): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await settle(deps, calls);
    } catch (error) {
      // One that cannot be written must not keep the others from it.
      if (calls.length > 1) {
        for (const call of calls) await settleOrTell([call], deps);
        return;
      }
      if (turn === tries)
        return deps.log.error({ err: error, callId: calls[0]?.callId }, "a call could not be settled");
      await deps.pause(100 * turn);
    }
  }
}
