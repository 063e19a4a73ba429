import * as z from "zod/mini";

export const roles = ["viewer", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

export const member = z.object({
  operator_id: z.string(),
  login: z.string(),
  name: z.string(),
  role: z.enum(roles),
  disabled: z.boolean(),
  created_at: z.string(),
});
export type Member = z.infer<typeof member>;

export const invitation = z.object({
  id: z.string(),
  login: z.string(),
  role: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
});
export type Invitation = z.infer<typeof invitation>;

export const invited = z.extend(invitation, { url: z.string() });
export type Invited = z.infer<typeof invited>;
