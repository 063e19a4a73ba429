import { z } from "zod";
import { addEndpoint, rotateEndpoint } from "../../delivery/index.ts";
import { problem } from "../../http/index.ts";
import { randomToken, type Vault } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, keepCredential, noteChange } from "../../workspaces/index.ts";
import { chosenName, text } from "../model/fields.ts";
import { botProblem } from "./bot-problems.ts";
import { botWarning, botWarnings } from "./bot-warnings.ts";

export interface SetupDeps extends AdminDeps {
  readonly vault: Vault;
}

const chatId = z.string().trim().min(1).max(64);
const rate = z.number().min(0).max(1000);

export const newBot = z.strictObject({
  title: text(200),
  token: z
    .string()
    .trim()
    .min(8)
    .max(500)
    .optional()
    .describe("The bot's token; without it auth_ref must already be bound"),
  auth_ref: chosenName.default("shop-bot"),
  operators_chat_id: chatId.nullable().default(null).describe("The group in which operators answer"),
  secret: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{24,200}$/, "24 to 200 Latin letters, digits, - and _")
    .optional()
    .describe("Secret of the webhook; default: generated"),
});
type NewBot = z.input<typeof newBot>;

export const botChanges = z
  .strictObject({
    enabled: z.boolean(),
    operators_chat_id: chatId.nullable(),
    rate_rps: rate.describe("Requests to MAX a second; 0: no limit"),
    chat_rps: rate.describe("Messages to one chat a second; 0: no limit"),
    keep_subscribed: z.boolean(),
    monitor_minutes: z.int().min(1).max(1440).describe("The bot monitor's window; default: 15"),
    monitor_errors: z
      .int()
      .min(0)
      .max(100_000)
      .describe("More failed messages than this raise an alert; default: 10"),
    monitor_fallback_pct: z
      .number()
      .min(0)
      .max(100)
      .describe("A greater share of unanswered questions, in per cent, raises an alert; default: 50"),
    monitor_min_questions: z
      .int()
      .min(1)
      .max(100_000)
      .describe("With fewer questions the share is ignored; default: 5"),
  })
  .partial();
type BotChanges = z.output<typeof botChanges>;

export const botSchema = z.object({
  title: z.string(),
  enabled: z.boolean(),
  auth_ref: z.string(),
  endpoint_id: z.uuid(),
  operators_chat_id: z.string().nullable(),
  rate_rps: z.number(),
  chat_rps: z.number(),
  keep_subscribed: z.boolean(),
  webhook_url: z.string().nullable(),
  subscribed_at: z.date().nullable(),
  checked_at: z.date().nullable(),
  subscription_error: z.string().nullable().describe("Why updates from MAX do not arrive"),
  monitor_minutes: z.int(),
  monitor_errors: z.int(),
  monitor_fallback_pct: z.number(),
  monitor_min_questions: z.int(),
  release: z.int().nullable().describe("Release of the rules in force"),
  rules: z.int(),
  warnings: z.array(botWarning).describe("What should be fixed"),
});
type BotView = z.output<typeof botSchema>;

/** Creates the workspace's bot with its token and endpoint. The webhook's secret is stored, so that MAX can be told it again. */
export async function setUpBot(
  deps: SetupDeps,
  workspaceId: string,
  given: NewBot,
  by: By,
): Promise<BotView> {
  const { sql, clock } = deps;
  const { title, token, auth_ref, operators_chat_id, secret = randomToken() } = newBot.parse(given);
  const known = await sql`select from shopbot.bots where workspace_id = ${workspaceId}`;
  if (known.length > 0) throw problem("conflict", { detail: "The workspace already has a shop bot." });
  if (token) await keepCredential(deps, workspaceId, { platform: "max", auth_ref }, { token }, by);
  else await requireCredential(sql, workspaceId, auth_ref);
  const endpoint = { name: title, kind: "bot_webhook", secret, ingress_rps: 100 } as const;
  const { endpoint_id } = await addEndpoint(
    deps,
    workspaceId,
    endpoint,
    by,
    // A secret that nobody is shown must not end with the token that set the bot up.
    given.secret === undefined ? null : undefined,
  );
  await keepSecret(deps, workspaceId, auth_ref, secret, by);
  const now = clock.now();
  await inOneChange(sql, async (tx) => {
    await tx`
      insert into shopbot.bots (workspace_id, auth_ref, endpoint_id, operators_chat_id, settings, created_at, updated_at)
      values (${workspaceId}, ${auth_ref}, ${endpoint_id}, ${operators_chat_id},
        ${JSON.stringify({ title })}::text::jsonb, ${now}, ${now})`;
    await noteChange(tx, { workspaceId, now, by, meta: { object: "bot", created: true, title } });
  });
  return readBot(sql, workspaceId);
}

export async function changeBot(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  changes: BotChanges,
  by: By,
): Promise<BotView> {
  const now = clock.now();
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length > 0)
    await inOneChange(sql, async (tx) => {
      const changed = await tx`
        update shopbot.bots set ${tx(given)}, revision = revision + 1, updated_at = ${now}
        where workspace_id = ${workspaceId}`;
      if (changed.count === 0) throw botProblem("bot_missing");
      await noteChange(tx, { workspaceId, now, by, meta: { object: "bot", changes: given } });
    });
  return readBot(sql, workspaceId);
}

/**
 * Generates a new webhook secret. Until `subscribe` tells MAX, its updates are refused and sent again later. If the endpoint was
 * rotated separately, the bot switches to its replacement.
 */
export async function renewSecret(deps: SetupDeps, workspaceId: string, by: By): Promise<void> {
  const { auth_ref } = await readBot(deps.sql, workspaceId);
  const endpoint = await botEndpointOf(deps.sql, workspaceId);
  if (!endpoint?.open_id)
    throw problem("conflict", {
      detail: "The bot's endpoint is disabled: `molva endpoint enable` opens it again.",
    });
  const secret = randomToken();
  const { endpoint_id: next } = await rotateEndpoint(
    deps,
    workspaceId,
    endpoint.open_id,
    { secret, overlap_seconds: 0 },
    by,
    null,
  );
  await deps.sql`
    update shopbot.bots
    set endpoint_id = ${next}, subscription_error = 'MAX has not been told the new secret yet: molva bot subscribe tells it'
    where workspace_id = ${workspaceId}`;
  await keepSecret(deps, workspaceId, auth_ref, secret, by);
}

/** The endpoint for MAX's updates: the bot's own, or its replacement after a rotation. */
interface BotEndpoint {
  readonly endpoint_id: string;
  /** The enabled one; null if it was disabled. */
  readonly open_id: string | null;
  readonly secret_hash: string | null;
}

export async function botEndpointOf(sql: Sql, workspaceId: string): Promise<BotEndpoint | undefined> {
  const [row] = await sql<BotEndpoint[]>`
    select b.endpoint_id, o.endpoint_id as open_id, o.secret_hash
    from shopbot.bots b
    left join lateral (
      select e.endpoint_id, e.secret_hash
      from delivery.workspace_endpoints e
      join delivery.workspace_endpoints known
        on known.workspace_id = b.workspace_id and known.endpoint_id = b.endpoint_id
      where e.workspace_id = b.workspace_id and e.kind = 'bot_webhook' and e.enabled and e.replaced_by is null
        -- A rotated endpoint keeps its name and is newer.
        and (e.endpoint_id = b.endpoint_id
          or e.meta ->> 'name' is not distinct from known.meta ->> 'name' and e.created_at >= known.created_at)
      order by e.endpoint_id = b.endpoint_id desc, e.created_at desc limit 1
    ) o on true
    where b.workspace_id = ${workspaceId}`;
  return row;
}

/** Why updates cannot arrive. */
function endpointError({ endpoint_id, open_id }: BotEndpoint): string | null {
  if (open_id === null)
    return "the bot's endpoint is disabled: molva endpoint enable opens it, molva bot subscribe tells MAX";
  return open_id === endpoint_id
    ? null
    : "the endpoint's secret was rotated and MAX still has the old one: molva bot subscribe tells it";
}

export async function readBot(sql: Sql, workspaceId: string): Promise<BotView> {
  const [row] = await sql`
    select b.settings ->> 'title' as title, b.enabled, b.auth_ref, b.endpoint_id, b.operators_chat_id,
      b.rate_rps::float8 as rate_rps, b.chat_rps::float8 as chat_rps, b.keep_subscribed, b.webhook_url, b.subscribed_at,
      b.checked_at, b.subscription_error, b.monitor_minutes, b.monitor_errors,
      b.monitor_fallback_pct::float8 as monitor_fallback_pct, b.monitor_min_questions,
      (select max(release) from shopbot.bot_releases r where r.workspace_id = b.workspace_id) as release,
      (select count(*)::int from shopbot.bot_rules r where r.workspace_id = b.workspace_id and r.enabled) as rules
    from shopbot.bots b where b.workspace_id = ${workspaceId}`;
  if (!row) throw botProblem("bot_missing");
  const endpoint = await botEndpointOf(sql, workspaceId);
  return botSchema.parse({
    ...row,
    subscription_error: (endpoint && endpointError(endpoint)) ?? row.subscription_error,
    warnings: await botWarnings(sql, workspaceId),
  });
}

/** The webhook's secret is stored beside the bot's token under this name. */
export const secretName = (authRef: string) => `${authRef}-webhook`;

async function keepSecret(
  deps: SetupDeps,
  workspaceId: string,
  authRef: string,
  secret: string,
  by: By,
): Promise<void> {
  const key = { platform: "max", auth_ref: secretName(authRef) };
  await keepCredential(deps, workspaceId, key, { token: secret }, by);
}

async function requireCredential(sql: Sql, workspaceId: string, authRef: string): Promise<void> {
  const bound = await sql`
    select from workspaces.credential_bindings
    where workspace_id = ${workspaceId} and auth_ref = ${authRef} and platform = 'max'`;
  if (bound.length === 0)
    throw problem("unprocessable", {
      detail: `There is no MAX credential ${authRef}: give the bot's token.`,
      errors: [{ pointer: "/token", detail: "The bot's token is needed" }],
    });
}
