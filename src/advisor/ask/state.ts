import { z } from "zod";
import { quotaShape } from "./quota.ts";

/** What an answer depends on besides the question, as `advisor.state_of` tells it; another version is another state. */
export const stateShape = z.object({
  version: z.string(),
  quota: quotaShape,
  last_upsell_at: z.coerce.date().nullable(),
  /** The talk that is going on. */
  session: z.object({ id: z.string(), context: z.unknown() }).nullable(),
});
export type State = z.output<typeof stateShape>;
