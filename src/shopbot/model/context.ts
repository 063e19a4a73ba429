import { z } from "zod";
import { defaultState } from "./rule.ts";

/** What the bot remembers of a conversation; stored as `bot_state.context`. */
export const contextShape = z.object({
  /** Messages of the customer since the conversation began. */
  turns: z.int(),
  /** Questions in a row that no rule knew. */
  misses: z.int().default(0),
  /** What was asked and answered. */
  answers: z.record(z.string(), z.string()).default({}),
  lastPress: z.object({ press: z.string(), on: z.string(), at: z.number() }).exactOptional(),
});
export type Context = z.output<typeof contextShape>;

/** Where a conversation stands. */
export interface Situation {
  readonly state: string;
  readonly context: Context;
  readonly expiresAt: Date | null;
}

export const beginning: Situation = {
  state: defaultState,
  context: { turns: 0, misses: 0, answers: {} },
  expiresAt: null,
};
