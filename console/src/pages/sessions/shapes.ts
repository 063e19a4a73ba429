import * as z from "zod/mini";

const sessionRow = z.object({
  id: z.string(),
  operator_id: z.string(),
  login: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
  address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  current: z.boolean(),
});
export type SessionRow = z.infer<typeof sessionRow>;

export const sessionList = z.object({ items: z.array(sessionRow) });
