import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Post } from "../../src/content/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import {
  type Compiled,
  createPlatforms,
  noMedia,
  type Outcome,
  type Platforms,
  storedForm,
  trackProgress,
} from "../../src/platforms/index.ts";
import { type Said, type ScriptedMessenger, startMessenger } from "../support/n8n/messenger.ts";
import { runWorkflow } from "../support/n8n/walk.ts";
import { readWorkflow } from "../support/n8n/workflow.ts";
import { anyPost, aPost } from "./posts.ts";

/** The sender of `02_dispatcher` beside Molva's own adapters: the same request leaves, the same is made of the answer. */
type Name = "telegram" | "max";

const http = createProviderClient({ defaultTimeoutMs: 5_000 });
const token = "123:abc";
let messenger: ScriptedMessenger;
let platforms: Platforms;
let answer: Said;

beforeAll(async () => {
  messenger = await startMessenger(() => answer);
  platforms = createPlatforms({ telegramApiRoot: messenger.url, maxApiRoot: messenger.url });
});
afterAll(async () => {
  messenger.close();
  await http.close();
});
beforeEach(() => {
  answer = { body: {} };
});

/** From the started delivery to the verdict, without the database before and after. */
async function byWorkflow(compiled: Compiled, targetId: string): Promise<Record<string, unknown>> {
  const { connections, ...workflow } = readWorkflow("02_dispatcher");
  const { "The verdict": _, ...way } = connections;
  const started = {
    platform: compiled.platform,
    target_id: targetId,
    secret_ref: "env:BOT_TOKEN",
    rendered_text: compiled.plainText,
    render_meta: JSON.parse(JSON.stringify({ compiled: storedForm(compiled) })),
  };
  const env = { BOT_TOKEN: token, TELEGRAM_API_ROOT: messenger.url, MAX_API_ROOT: messenger.url };
  return Object((await runWorkflow({ ...workflow, connections: way }, "Start", started, { env })).output);
}

function byAdapter(compiled: Compiled, targetId: string): Promise<Outcome> {
  return platforms.platformOf(compiled.platform).send(compiled, {
    channel: { platform: compiled.platform, targetId, sendMode: "mixed", settings: {} },
    token,
    idempotencyKey: "d",
    http,
    clock: systemClock,
    since: new Date(),
    media: noMedia,
    progress: trackProgress([], async () => {}),
  });
}

function compiledFor(name: Name, post: Post): Compiled | undefined {
  const channel = { platform: name, targetId: "-1001", sendMode: "mixed", settings: {} } as const;
  const result = platforms.platformOf(name).compile(post, channel);
  return result.ok ? result.compiled : undefined;
}

const isPlain = ({ requests: [first, ...more] }: Compiled) => more.length === 0 && first?.media.length === 0;

describe.each<{ name: Name; targets: string[] }>([
  { name: "telegram", targets: ["-1001234567890", "@news_of_the_day", "42"] },
  { name: "max", targets: ["-70000001", "user:42"] },
])("for $name", ({ name, targets }) => {
  it("the same request leaves, whatever the text, its marks, buttons and options", async () => {
    const compiled = fc
      .sample(anyPost, { numRuns: 150, seed: 7 })
      .map((post) => compiledFor(name, { ...post, media: [] }))
      .filter((each) => each !== undefined)
      .filter(isPlain);
    expect(compiled.length).toBeGreaterThan(20);
    for (const [index, post] of compiled.entries()) {
      const target = targets[index % targets.length] ?? "";
      await byWorkflow(post, target);
      await byAdapter(post, target);
      const asked = messenger.requests.splice(0);
      expect(asked).toHaveLength(2);
      expect(asked[0]).toEqual(asked[1]);
    }
  });
});

it.each(["01_ingest", "02_dispatcher", "03_monitor"])(
  "%s waits for nothing, and every way in it leads on",
  (name) => {
    const { nodes, connections } = readWorkflow(name);
    const names = nodes.map((node) => node.name);
    expect(new Set(names).size).toBe(names.length);
    expect(nodes.filter(({ type }) => type.endsWith(".wait"))).toEqual([]);
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
    expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
    const starts = nodes.filter(({ type }) => /webhook$|Trigger$/.test(type)).map((node) => node.name);
    expect(names.toSorted()).toEqual([...new Set([...starts, ...targets])].sort());
  },
);

const telegramRefusal = (
  status: number,
  description: string,
  parameters?: Record<string, unknown>,
): Said => ({
  status,
  body: { ok: false, error_code: status, description, ...(parameters && { parameters }) },
});
const chat = { id: -1001234567890, type: "channel", title: "К" };

const answers: readonly { readonly name: Name; readonly says: Said }[] = [
  { name: "telegram", says: { body: { ok: true, result: { message_id: 7, chat } } } },
  {
    name: "telegram",
    says: { body: { ok: true, result: { message_id: 7, chat: { ...chat, username: "n" } } } },
  },
  {
    name: "telegram",
    says: { body: { ok: true, result: { message_id: 7, chat: { id: 42, type: "private" } } } },
  },
  { name: "telegram", says: { body: { ok: true } } },
  { name: "telegram", says: { body: null } },
  { name: "telegram", says: { body: "<html>" } },
  { name: "telegram", says: telegramRefusal(400, "Bad Request: chat not found") },
  { name: "telegram", says: telegramRefusal(400, "Bad Request: message is too long") },
  { name: "telegram", says: telegramRefusal(400, "Bad Request: can't parse entities") },
  {
    name: "telegram",
    says: telegramRefusal(400, "Bad Request: need administrator rights in the channel chat"),
  },
  { name: "telegram", says: telegramRefusal(400, "Bad Request: CHAT_WRITE_FORBIDDEN") },
  {
    name: "telegram",
    says: telegramRefusal(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: -100123,
    }),
  },
  { name: "telegram", says: telegramRefusal(401, "Unauthorized") },
  { name: "telegram", says: telegramRefusal(403, "Forbidden: bot was kicked from the channel chat") },
  { name: "telegram", says: telegramRefusal(404, "Not Found") },
  { name: "telegram", says: telegramRefusal(409, "Conflict") },
  { name: "telegram", says: telegramRefusal(413, "Request Entity Too Large") },
  { name: "telegram", says: telegramRefusal(429, "Too Many Requests: retry after 14", { retry_after: 15 }) },
  {
    name: "telegram",
    says: { ...telegramRefusal(429, "Too Many Requests"), headers: { "retry-after": "3" } },
  },
  { name: "telegram", says: telegramRefusal(500, "Internal Server Error") },
  { name: "telegram", says: { status: 502, body: "<html>Bad Gateway</html>" } },
  { name: "telegram", says: { status: 302, headers: { location: "/" }, body: {} } },
  {
    name: "max",
    says: { body: { message: { timestamp: 1, body: { mid: "mid.1" }, url: "https://max.ru/1" } } },
  },
  { name: "max", says: { body: { message: { timestamp: 1, body: { mid: "mid.1" } } } } },
  { name: "max", says: { body: {} } },
  { name: "max", says: { body: { code: "too.many.requests", message: "retry after 2" } } },
  {
    name: "max",
    says: { status: 400, body: { code: "proto.payload", message: "text: size must be below 4000" } },
  },
  { name: "max", says: { status: 401, body: { code: "verify.token", message: "Invalid access_token" } } },
  { name: "max", says: { status: 403, body: { code: "chat.denied", message: "chat.denied" } } },
  { name: "max", says: { status: 403, body: { code: "x", message: "error.dialog.suspended" } } },
  { name: "max", says: { status: 404, body: { code: "chat.not.found", message: "Chat not found" } } },
  {
    name: "max",
    says: {
      status: 429,
      body: { code: "too.many.requests", message: "Slow" },
      headers: { "retry-after": "2" },
    },
  },
  {
    name: "max",
    says: { status: 429, body: { code: "too.many.requests", message: "Slow", retry_after: 1.5 } },
  },
  { name: "max", says: { status: 408, body: "" } },
  { name: "max", says: { status: 503, body: "down" } },
];

it.each(answers)("the same is made of what $name says: $says", async ({ name, says }) => {
  const compiled = compiledFor(name, aPost({ text: "Текст" }));
  if (!compiled) throw new Error("the post does not compile");
  answer = says;
  const outcome = await byAdapter(compiled, "-1001");
  const verdict = await byWorkflow(compiled, "-1001");
  if (outcome.kind === "sent") {
    const { providerMessageId: id, url, raw } = outcome;
    expect(verdict).toEqual({ kind: "sent", id, meta: { ...(url && { url }), raw } });
    return;
  }
  const { category, scope, code, message, retryAfterMs } = outcome.error;
  const refusal = category === "PERMANENT" ? "refused" : "later";
  expect(verdict).toEqual({
    kind: outcome.kind === "unknown" ? "unknown" : refusal,
    error: {
      ...{ category, scope, code, message },
      ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
      ...(code === "chat_migrated" && { migrate_to: "-100123" }),
    },
  });
});
