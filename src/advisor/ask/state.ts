import { z } from "zod";
import { quotaShape } from "./quota.ts";

/** The result of `advisor.state_of`; `version` changes with the state. */
export const stateShape = z.object({
  version: z.string(),
  quota: quotaShape,
  last_upsell_at: z.coerce.date().nullable(),
  /** The current session. */
  session: z.object({ id: z.string(), context: z.unknown() }).nullable(),
});
export type State = z.output<typeof stateShape>;
