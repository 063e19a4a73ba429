import { usdRubOf } from "../../../billing/index.ts";
import { botApi, telegramBots } from "../../../dialogs/index.ts";
import type { Task } from "../../../kernel/jobs/index.ts";
import { perCore } from "../../../workspaces/index.ts";
import type { BroadcastJob } from "../../broadcasts/broadcasts.ts";
import { broadcastTask } from "../../broadcasts/send-broadcast.ts";
import { botName } from "../bot-name.ts";

/** What the administrator's screens need besides the rest. */
export interface Office {
  /** Roubles per dollar. */
  readonly usdRub: number;
  readonly broadcasts: Task<BroadcastJob>;
}

export const officeOf = perCore((core): Office => {
  const { sql, clock } = core;
  const api = (workspaceId: string) => botApi({ workspaceId, bot: botName }, telegramBots(core));
  return { usdRub: usdRubOf(core), broadcasts: broadcastTask({ sql, clock, bot: botName, api }) };
});
