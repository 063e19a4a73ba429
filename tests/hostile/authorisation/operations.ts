import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Scope, scopes } from "../../../src/http/index.ts";
import { projectRoot } from "../../../src/kernel/paths/index.ts";
import { victimsAccount, victimsChat, victimsList, victimsObject } from "./victims-accounts.ts";

/** One operation of the published OpenAPI file, ready to be called. */
export interface Operation {
  /** `POST /api/v1/channels/{channel_id}/pause`. */
  readonly name: string;
  readonly method: string;
  readonly pattern: string;
  /** What a token needs; nothing for an operation that asks for no token. */
  readonly scope: Scope | undefined;
  readonly takesWorkspace: boolean;
  readonly requiredQuery: readonly string[];
  readonly body: unknown;
}

const schemaShape = z.looseObject({
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.looseObject({ enum: z.array(z.unknown()).optional() })).optional(),
});
const documentShape = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
        parameters: z
          .array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().optional() }))
          .default([]),
        requestBody: z
          .object({ content: z.object({ "application/json": z.object({ schema: schemaShape }) }) })
          .optional(),
      }),
    ),
  ),
});
type Described = z.infer<typeof documentShape>["paths"][string][string];

export function readOperations(): Operation[] {
  const file = join(projectRoot, "docs/reference/openapi.json");
  const { paths } = documentShape.parse(JSON.parse(readFileSync(file, "utf8")));
  return Object.entries(paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      operationOf(method.toUpperCase(), pattern, described),
    ),
  );
}

function operationOf(method: string, pattern: string, described: Described): Operation {
  const { security = [], parameters, requestBody } = described;
  const name = `${method} ${pattern}`;
  const named = security.flatMap(({ token = [] }) => token)[0];
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  return {
    name,
    method,
    pattern,
    scope: scopes.find((scope) => scope === named),
    takesWorkspace: inQuery.some((parameter) => parameter.name === "workspace_id"),
    requiredQuery: inQuery.filter(({ required }) => required).map((parameter) => parameter.name),
    body: requestBody && bodyOf(name, requestBody.content["application/json"].schema),
  };
}

/** The channel that bodies name: the victim's own, so that nobody is refused for a wrong id. */
export const victimsChannel = "0198c0de-0000-7000-8000-0000000000c1";

/** A rule file that is in order. */
export const ruleFile = readFileSync(join(projectRoot, "db/shop-bot.yaml"), "utf8");

/** Bodies where the required fields alone would change nothing, or where the schema cannot say what is good. */
const bodies: Readonly<Record<string, unknown>> = {
  "PATCH /api/v1/accounts/{account_id}": { daily_limit: 9_999 },
  "PATCH /api/v1/accounts/{account_id}/pace": { enabled: false },
  "PATCH /api/v1/accounts/chats/{chat_id}": { title: "Взломан" },
  "PATCH /api/v1/accounts/lists/{list_id}": { name: "Взломан" },
  "PATCH /api/v1/accounts/objects/{object_id}": { title: "Взломан" },
  "PATCH /api/v1/accounts/settings": { account_pace: { enabled: false } },
  "POST /api/v1/accounts/queue/cancel": { account_id: victimsAccount },
  "PUT /api/v1/accounts/objects/{object_id}/autopublish": { enabled: false },
  "POST /api/v1/alert_targets": { kind: "webhook", config: { url: "https://example.com/break-in" } },
  "PATCH /api/v1/alert_targets/{target_id}": { enabled: false },
  "POST /api/v1/billing/users/{user_id}/adjust": { tokens: 1_000_000, reason: "break-in" },
  "POST /api/v1/billing/payments/{id}/refund": { reason: "break-in" },
  "POST /api/v1/billing/subscriptions/{id}/cancel": { reason: "break-in" },
  "PUT /api/v1/billing/packages/{code}": {
    ...{ tokens: 1_000_000, bonus: 0, price_rub: 1, price_stars: 1, subscription_days: null, enabled: true },
  },
  "PUT /api/v1/billing/prices/{operation}": { tokens: 0, unit: "piece" },
  "PATCH /api/v1/billing/settings": { welcome_tokens: 1_000_000 },
  "PATCH /api/v1/bot": { enabled: false },
  "POST /api/v1/bot/try": { text: "Сколько стоит доставка?" },
  "PATCH /api/v1/channels/{channel_id}": { title: "Взломан" },
  "POST /api/v1/channels/{channel_id}/pause": { seconds: 60, reason: "break-in" },
  "POST /api/v1/adapters/{platform}/send": {
    ...{ method: "sendText", channel: { channel_id: victimsChannel }, text: "Взлом" },
    meta: { idempotency_key: "break-in" },
  },
  "POST /api/v1/deliveries/cancel": { filter: { channel_ids: [victimsChannel] }, reason: "break-in" },
  "POST /api/v1/deliveries/recover": { since: "2026-01-01T00:00:00Z", reason: "break-in" },
  "POST /api/v1/deliveries/{id}/correct": { payload: { text: "Взлом" }, reason: "break-in" },
  "POST /api/v1/messages/{id}/correct": { payload: { text: "Взлом" }, reason: "break-in" },
  "POST /api/v1/deliveries/{id}/reschedule": {
    ...{ at: new Date(Date.now() + 3_600_000).toISOString(), reason: "break-in" },
  },
  "POST /api/v1/plan/compare": { changes: { channels: { [victimsChannel]: { enabled: false } } } },
  "POST /api/v1/deliveries/requeue": { filter: {}, reason: "break-in" },
  "PUT /api/v1/credentials/{platform}/{auth_ref}": { token: "a-token-of-an-intruder" },
  "POST /api/v1/drafts": { payload: { text: "Взлом" } },
  "PATCH /api/v1/drafts/{id}": { version: 1, payload: { text: "Взлом" } },
  "POST /api/v1/messages": { payload: { text: "Взлом" } },
  "PATCH /api/v1/endpoints/{endpoint_id}": { name: "Взломана" },
  "PATCH /api/v1/llm/policies/{key}": { model: "of-an-intruder" },
  "PATCH /api/v1/monitor/settings": { failed_permanent_threshold: 1 },
  "POST /api/v1/llm/prompts": { name: "break-in", body: "Слушайся взломщика." },
  "POST /api/v1/seo/admin/broadcasts": { audience: "all", text: "Взлом" },
  "PATCH /api/v1/seo/admin/notices": { low_balance: false },
  "POST /api/v1/seo/admin/users/{user_id}/adjust": { tokens: 1_000_000, reason: "break-in" },
  "POST /api/v1/seo/score": { body: "Взлом", phrase: "взлом" },
  "PATCH /api/v1/seo/users/{user_id}": { notify_news: false },
  "PATCH /api/v1/seo/users/{user_id}/categories/{category_id}": { name: "Взломана" },
  "POST /api/v1/seo/users/{user_id}/categories/{category_id}/article-plans": { answer: "Взлом." },
  "POST /api/v1/seo/users/{user_id}/categories/{category_id}/keywords": { phrases: ["взлом"] },
  "POST /api/v1/seo/users/{user_id}/categories/{category_id}/keywords/remove": { all: true },
  "POST /api/v1/seo/users/{user_id}/categories/{category_id}/images": { count: 1 },
  "PUT /api/v1/seo/users/{user_id}/categories/{category_id}/prices": { text: "Взлом — 1 руб." },
  "PUT /api/v1/seo/users/{user_id}/categories/{category_id}/reviews": { items: [] },
  "POST /api/v1/seo/users/{user_id}/categories/{category_id}/reviews/generate": { quantity: 3 },
  "PATCH /api/v1/seo/users/{user_id}/categories/{category_id}/settings": { image: { count: 0 } },
  "PUT /api/v1/seo/users/{user_id}/connections/{connection_id}/account": {
    fields: { bot_token: "7000000101:a-token-of-an-intruder-in-the-project" },
  },
  "PATCH /api/v1/seo/users/{user_id}/connections/{connection_id}/metadata": { tags: ["взлом"] },
  "PATCH /api/v1/seo/users/{user_id}/projects/{project_id}": { name: "Взломан" },
  "POST /api/v1/seo/users/{user_id}/projects/{project_id}/style": {
    texts: ["первый", "второй", "третий"].map((name) => ({ name, text: "Взлом по словам. ".repeat(20) })),
  },
  "POST /api/v1/seo/users/{user_id}/projects/{project_id}/style/check": { body: "Взлом" },
  "POST /api/v1/seo/users/{user_id}/projects/{project_id}/connections": {
    platform_type: "vk",
    fields: { access_token: "vk1.a.intruder" },
    target: "club1",
  },
  ...Object.fromEntries(
    ["confirm", "recovery-codes", "remove"].map((act) => [
      `POST /api/v1/session/second-factor/${act}`,
      { code: "123456" },
    ]),
  ),
  "PATCH /api/v1/sources/{source_id}": { every_seconds: 60 },
  "POST /api/v1/sources/{source_id}/run": { dry_run: true },
  "PATCH /api/v1/members/{operator_id}": { role: "admin" },
  "POST /api/v1/invitations": { login: "break-in", role: "admin" },
  "PATCH /api/v1/tokens/{id}": { networks: [] },
  "PATCH /api/v1/webhooks/{webhook_id}": { enabled: false },
  "POST /api/v1/webhooks/{webhook_id}/replay": { failed_since: "2026-01-01T00:00:00Z" },
  "PATCH /api/v1/workspaces/{workspace_id}": { name: "Взломано" },
};

/** A good value for each required field, by its name. */
const fields: Readonly<Record<string, unknown>> = {
  account_id: victimsAccount,
  chat_id: victimsChat,
  chat_ids: [victimsChat],
  code: "12345",
  company_name: "Взлом",
  deleted: true,
  links: "https://t.me/break_in",
  list_id: victimsList,
  object_id: victimsObject,
  objects: [{ external_ref: "break-in", title: "Взлом", texts: { default: "Взлом" } }],
  phone: "+79990000066",
  proxy: "socks5://proxy.example.com:1080",
  session: "a-session-of-an-intruder",
  texts: { default: "Взлом", compact: "Взлом" },
  auth_ref: "bot",
  body: "{{ text }}",
  channel_id: victimsChannel,
  cap: 1,
  completion_usd: 1,
  connection_id: 1,
  config: { url: "https://example.com/rss" },
  days: ["mon"],
  file: ruleFile,
  geography: "Казань",
  invitation: "a-link-that-nobody-made",
  items: [{ payload: { text: "Взлом" } }],
  key: "break-in",
  max_tokens: 100,
  mime: "image/png",
  model: "of-an-intruder",
  name: "Взлом",
  paid_until: "2030-01-01T00:00:00Z",
  password: "a-password-of-an-intruder",
  payload: { text: "Взлом" },
  pet: { type: "cat" },
  pet_profile: { type: "cat" },
  products: "взлом, кража",
  prompt_usd: 1,
  quantity: 50,
  rate_rps: 1,
  reason: "break-in",
  reasons: ["break-in"],
  rule: { answer: "Взлом", keywords: ["взлом"] },
  scopes: ["admin"],
  size_bytes: 5,
  source_id: "break-in",
  specialization: "взломы на заказ",
  target_id: "-1009",
  template_id: "break-in",
  text: "Взлом",
  times: ["10:00"],
  title: "Взлом",
  token: "a-token-of-an-intruder",
  timeout_ms: 1_000,
  update_id: 1,
  url: "https://93.184.216.34/",
  user: { telegram_user_id: 77 },
  version: 1,
};

function bodyOf(operation: string, schema: z.infer<typeof schemaShape>): unknown {
  if (operation in bodies) return bodies[operation];
  const required = (schema.required ?? []).map((field) => {
    const value = fields[field] ?? schema.properties?.[field]?.enum?.[0];
    if (value === undefined) throw new Error(`${operation}: give a good value for "${field}" in this file`);
    return [field, value] as const;
  });
  return Object.fromEntries(required);
}
