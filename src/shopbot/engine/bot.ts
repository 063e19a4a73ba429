import type { Rule } from "../model/rule.ts";
import type { Settings } from "../model/settings.ts";

export interface Bot {
  readonly enabled: boolean;
  readonly settings: Settings;
  /** Enabled rules in the order of matching. */
  readonly rules: readonly Rule[];
  /** Null: nobody can take a chat over, and an escalation only tells how to reach people. */
  readonly operatorsChatId: string | null;
}
