import * as z from "zod/mini";

export const tenant = z.object({
  workspace_id: z.string(),
  name: z.string(),
  status: z.enum(["active", "paused", "disabled"]),
  timezone: z.string(),
  channels: z.number(),
  created_at: z.string(),
});
export type Tenant = z.infer<typeof tenant>;
