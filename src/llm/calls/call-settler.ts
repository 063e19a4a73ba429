import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { type Settlement, settle } from "./books.ts";

/**
 * Records the results of calls after they are answered. Until then, what was held for a call stays held, so nothing is spent
 * twice. Calls that end within a moment, or during a write, are written together: all of them need the same lock, and each
 * write is a commit.
 */
export interface CallSettler {
  settle(call: Settlement): void;
  /** Resolves when every call that has ended so far is written. */
  done(): Promise<void>;
}

export interface SettlerDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly pause: (milliseconds: number) => Promise<void>;
}

const momentMs = 100;
const most = 100;
const tries = 3;

export function createCallSettler(deps: SettlerDeps): CallSettler {
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

/** Never throws: an answer that was paid for must not be lost because of a failed write. The reservation expires by itself. */
async function settleOrTell(calls: readonly Settlement[], deps: SettlerDeps): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await settle(deps, calls);
    } catch (error) {
      // One call that cannot be written must not block the others.
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
