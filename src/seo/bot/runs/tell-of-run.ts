import { wake } from "../../../dialogs/index.ts";
import type { Clock } from "../../../kernel/clock/index.ts";
import type { TellOfRun } from "../../runs/create-runs.ts";
import { botName } from "../bot-name.ts";
import { tellOfExpiry } from "./tell-of-expiry.ts";
import { runKey } from "./wait-for-run.ts";

/** Wakes the chat that waits for a run; an article that nobody decided on is told of wherever its person is. */
export function tellOfRun(clock: Clock): TellOfRun {
  return async (tx, { workspaceId, userId, runId, status }) => {
    const now = clock.now();
    const event = { chatId: String(userId), id: `${runId} ${status} ${now.getTime()}`, on: runKey(runId) };
    await wake(tx, { workspaceId, bot: botName }, { ...event, outcome: status }, now);
    if (status === "expired") await tellOfExpiry(tx, { workspaceId, userId, runId }, now);
  };
}
