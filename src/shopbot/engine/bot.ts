import type { Rule } from "../model/rule.ts";
import type { Settings } from "../model/settings.ts";

/** Everything the engine needs to know of a bot. */
export interface Bot {
  readonly enabled: boolean;
  readonly settings: Settings;
  /** Enabled ones, in the order in which they are looked at. */
  readonly rules: readonly Rule[];
  /** Without it nobody can take a chat over, and an escalation only tells how to reach people. */
  readonly operatorsChatId: string | null;
}
