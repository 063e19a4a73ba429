import { z } from "zod";
import { defaultState } from "./rule.ts";

/** Stored as `bot_state.context`. */
export const contextShape = z.object({
  /** Messages since the conversation began. */
  turns: z.int(),
  /** Unanswered questions in a row. */
  misses: z.int().default(0),
  /** Values the customer has given. */
  answers: z.record(z.string(), z.string()).default({}),
  lastPress: z.object({ press: z.string(), on: z.string(), at: z.number() }).exactOptional(),
});
export type Context = z.output<typeof contextShape>;

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
