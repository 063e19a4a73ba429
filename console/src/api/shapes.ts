/** The server's answers. Parsed once on arrival; everything behind it is typed. */
import * as z from "zod/mini";

// The page's Content-Security-Policy forbids eval, which zod would otherwise probe for.
z.config({ jitless: true });

export const scopes = ["read", "write", "operate", "payload", "people", "metrics", "admin"] as const;
export type Scope = (typeof scopes)[number];

const workspaceName = z.object({ id: z.string(), name: z.string(), status: z.string() });

const workspace = z.extend(workspaceName, {
  /** What the operator may do there. */
  scopes: z.array(z.string()),
});
export type Workspace = z.infer<typeof workspace>;

export const session = z.object({
  operator: z.object({
    id: z.string(),
    login: z.string(),
    name: z.nullable(z.string()),
    has_password: z.boolean(),
    /** Of the whole installation. */
    administrator: z.boolean(),
  }),
  scopes: z.array(z.string()),
  expires_at: z.string(),
  workspaces: z.array(workspace),
  second_factor: z.enum(["on", "off", "required"]),
  playground: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const invitation = z.object({
  login: z.string(),
  role: z.string(),
  workspace: z.nullable(z.string()),
  known: z.boolean(),
});
export type Invitation = z.infer<typeof invitation>;

export const accepted = z.object({ login: z.string(), signed_in: z.boolean() });
/** The first step of signing in was right, and the second is to be made. */
export const secondStep = z.object({
  second_step: z.object({ challenge: z.string(), expires_at: z.string() }),
});

export const signInMethods = z.object({
  oidc: z.nullable(z.object({ name: z.string(), url: z.string() })),
});

export const secondFactor = z.object({
  enrolled_at: z.nullable(z.string()),
  recovery_codes_left: z.number(),
  required: z.boolean(),
});
export const begunFactor = z.object({ secret: z.string(), uri: z.string(), qr: z.string() });
export const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

export const token = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  workspace_id: z.nullable(z.string()),
  created_at: z.string(),
  last_used_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  networks: z.array(z.string()),
  made_by: z.nullable(z.object({ kind: z.enum(["operator", "token"]), name: z.string() })),
});
export type Token = z.infer<typeof token>;

export const tokenNetworks = z.pick(token, { networks: true });
export const tokenList = z.object({ items: z.array(token), next: z.nullable(z.string()) });
export const createdToken = z.object({ id: z.string(), name: z.string(), token: z.string() });
export type CreatedToken = z.infer<typeof createdToken>;

const event = z.object({
  id: z.string(),
  ts: z.string(),
  action: z.string(),
  result: z.string(),
  attempt: z.number(),
  delivery_id: z.nullable(z.string()),
  message_id: z.nullable(z.string()),
  channel: z.nullable(
    z.object({
      id: z.string(),
      title: z.nullable(z.string()),
      platform: z.string(),
      target: z.string(),
    }),
  ),
  error: z.nullable(
    z.object({
      code: z.nullish(z.string()),
      message: z.nullish(z.string()),
      category: z.nullish(z.string()),
      scope: z.nullish(z.string()),
    }),
  ),
});
export type DeliveryEvent = z.infer<typeof event>;

const minute = z.object({ at: z.string(), sent: z.number(), failed: z.number() });
export type Minute = z.infer<typeof minute>;

export const overview = z.object({
  workspace: workspaceName,
  queue: z.object({
    queued: z.number(),
    claimed: z.number(),
    sending: z.number(),
    retry: z.number(),
    sent: z.number(),
    deduped: z.number(),
    failed_permanent: z.number(),
    dead: z.number(),
  }),
  channels: z.object({
    total: z.number(),
    enabled: z.number(),
    paused: z.number(),
    disabled: z.number(),
    by_platform: z.record(z.string(), z.number()),
  }),
  activity: z.array(minute),
  events: z.array(event),
});
export type Overview = z.infer<typeof overview>;
export type Queue = Overview["queue"];

export const recovered = z.object({
  recovered: z.number(),
  resumed: z.number(),
  still_stopped: z.number(),
  channels: z.array(
    z.object({
      channel_id: z.string(),
      title: z.nullable(z.string()),
      target: z.string(),
      platform: z.string(),
      auth_ref: z.string(),
      deliveries: z.number(),
    }),
  ),
});
export type Recovered = z.infer<typeof recovered>;

/** RFC 9457. Every member may be missing: a proxy in between may answer with something else. */
export const problem = z.object({
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
  code: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ pointer: z.string(), detail: z.string() }))),
});
export type Problem = z.infer<typeof problem>;
