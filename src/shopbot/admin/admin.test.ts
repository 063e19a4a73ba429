import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { eventually } from "../../../tests/support/until.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { changeEndpoint, rotateEndpoint } from "../../delivery/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { watchBots } from "../monitor/bot-monitor.ts";
import { keepSubscribed } from "../subscription/keep-subscribed.ts";
import { createSubscriptionKeeper } from "../subscription/subscription-keeper.ts";
import { type ShopHarness, seedFile, startShopHarness } from "../testing/harness.ts";
import { movedClock } from "../testing/moved-clock.ts";

let twins: RunningTwins;
let shop: ShopHarness;
let headers: Record<string, string>;
const clock = movedClock();

beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  shop = await startShopHarness(await testDatabase(), { twinsUrl: twins.url, operators: true, clock });
  headers = await shop.server.bearer(["read", "write", "operate", "people", "admin"], shop.workspaceId);
});
afterAll(async () => {
  await shop.stop();
  await twins.close();
});

async function call(method: string, path: string, body?: unknown, as = headers) {
  const answer = await shop.server.call(`/api/v1/bot${path}`, { method, headers: as, body });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : undefined };
}

/** A customer who was greeted. */
async function aDialogue(name = "Ирина"): Promise<string> {
  const chatId = await shop.open(name);
  await eventually(
    () => shop.said(chatId),
    (seen) => seen.length === 1,
  );
  return chatId;
}

async function ask(chatId: string, text: string): Promise<void> {
  const before = (await shop.logs(chatId)).length;
  await shop.say(chatId, text);
  await eventually(
    () => shop.logs(chatId),
    (seen) => seen.length > before,
  );
}

const file = (answer: string) => `bot: { title: Магазин }
rules:
  - id: tea
    keywords: [чай]
    answer: ${answer}
dialogues:
  - name: чай
    lines:
      - customer: есть чай?
      - bot: чай
`;

describe("rules come into force as releases", () => {
  // covers shopbot: Table constraints of the document
  it("all at once: a changed rule gets the next version, an unchanged one keeps its own, one version is active", async () => {
    expect((await call("PUT", "/file", { file: file("Чай есть") })).body).toMatchObject({
      rules: { tea: 1 },
    });
    expect((await call("PUT", "/file", { file: file("Чай кончился") })).body).toMatchObject({
      rules: { tea: 2 },
    });
    expect((await call("PUT", "/file", { file: file("Чай кончился") })).body).toMatchObject({
      rules: { tea: 2 },
    });
    const { items: versions } = (await call("GET", "/rules/tea")).body;
    expect(
      versions.map(({ version, enabled }: { version: number; enabled: boolean }) => [version, enabled]),
    ).toEqual([
      [2, true],
      [1, false],
    ]);
    expect((await call("GET", "/rules")).body.items).toHaveLength(1);
  });

  // covers shopbot: Rules as tested text
  it("and go back with one call, to the version that was there", async () => {
    await call("PUT", "/file", { file: file("Чай есть") });
    await call("PUT", "/file", { file: file("Чай кончился") });
    const back = await call("POST", "/rollback", { reason: "поторопились" });
    expect(back.body).toMatchObject({
      rules: { tea: 1 },
      based_on: expect.any(Number),
      reason: "поторопились",
    });
    expect((await call("GET", "/file")).body.file).toBe(file("Чай есть"));
    const { items } = (await call("GET", "/releases")).body;
    expect(items[0]).toMatchObject({ release: back.body.release });
    const chatId = await aDialogue();
    await ask(chatId, "чай");
    expect((await shop.logs(chatId)).at(-1)).toMatchObject({ rule_version: 1, response_preview: "Чай есть" });
  });

  // covers shopbot: Table constraints of the document
  it("the database itself refuses a second active version and an empty keyword", async () => {
    await call("PUT", "/file", { file: file("Чай есть") });
    await call("PUT", "/file", { file: file("Чай кончился") });
    await expect(
      shop.sql`update shopbot.bot_rules set enabled = true where workspace_id = ${shop.workspaceId} and rule_id = 'tea'`,
    ).rejects.toThrow("bot_rules_active");
    await expect(
      shop.sql`update shopbot.bot_rules set pattern = '{"keywords": [" "], "mode": "contains"}' where rule_id = 'tea'`,
    ).rejects.toThrow("pattern_is_keywords");
    await expect(
      shop.sql`update shopbot.bot_rules set pattern = '{"keywords": ["a"], "mode": "regex"}' where rule_id = 'tea'`,
    ).rejects.toThrow("pattern_is_keywords");
    await expect(
      shop.sql`update shopbot.bot_logs set matched_rule_id = 'tea', rule_version = null where matched_rule_id is not null`,
    ).rejects.toThrow("rule_has_version");
  });

  it("a file with faults is refused with every place, and changes nothing", async () => {
    const before = (await call("GET", "/file")).body.file;
    const refused = await call("PUT", "/file", { file: file("'{{ broken'") });
    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: "bot_rules_refused",
        errors: [{ pointer: "/rules/0/answer", detail: expect.stringContaining("line 5: rules/0/answer") }],
      },
    });
    expect((await call("GET", "/file")).body.file).toBe(before);
  });

  it("a file whose examples fail is refused, unless it is forced", async () => {
    const broken = file("Кофе");
    expect(await call("PUT", "/file", { file: broken })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/dialogues/0/lines/1", detail: expect.stringContaining("чай, line 2") }] },
    });
    expect((await call("PUT", "/file", { file: broken, force: true })).status).toBe(200);
  });

  it("one rule is saved, activated in an earlier version, and taken away, each as a release", async () => {
    await call("PUT", "/file", { file: file("Чай есть") });
    const rule = { keywords: ["кофе"], answer: "Кофе есть" };
    expect((await call("PUT", "/rules/coffee", { rule })).body.rules).toMatchObject({ coffee: 1 });
    await call("PUT", "/rules/coffee", { rule: { ...rule, answer: "Кофе кончился" } });
    expect((await call("POST", "/rules/coffee/activate", { version: 1 })).body.rules).toMatchObject({
      coffee: 1,
    });
    expect((await call("DELETE", "/rules/coffee")).body.rules).toEqual({ tea: expect.any(Number) });
    expect((await call("PUT", "/rules/bad", { rule: { keywords: ["а"], answer: "{{" } })).body).toMatchObject(
      {
        code: "bot_rules_refused",
        errors: [{ pointer: "/rules/1/answer" }],
      },
    );
    expect((await call("DELETE", "/rules/gone")).status).toBe(404);
  });

  // covers shopbot: Rules as tested text
  it("a check plays the examples, finds what can never speak, and compares with what is in force", async () => {
    await call("PUT", "/file", { file: file("Чай есть") });
    const next = file("Чай есть").replace(
      "dialogues:",
      "  - { id: with_kettle, keywords: [чайник], answer: Чайник }\ndialogues:",
    );
    expect((await call("POST", "/file/check", { file: next })).body).toMatchObject({
      ok: false,
      dialogues: 1,
      faults: [],
      coverage: { shadowed: [{ rule: "with_kettle", keyword: "чайник", by: expect.any(String) }] },
      diff: { added: ["with_kettle"], removed: [], changed: [] },
    });
  });

  // covers shopbot: Rules as tested text
  it("a replay shows what would change for the messages of real customers", async () => {
    await call("PUT", "/file", { file: file("Чай есть") });
    const chatId = await aDialogue();
    await ask(chatId, "есть ли какао?");
    const next = file("Чай есть").replace(
      "dialogues:",
      "  - { id: cocoa, keywords: [какао], answer: Какао есть }\ndialogues:",
    );
    const { body } = await call("POST", "/replay", { file: next, last: 500 });
    expect(body).toMatchObject({ changed: 1, gained: 1, lost: 0 });
    expect(body.changes[0]).toMatchObject({
      chat_id: chatId,
      text: "есть ли какао?",
      after: { rule: "cocoa" },
    });
  });

  // covers shopbot: Seeing how it does
  it("a trial answers without sending, from any state, also by rules that are not in force", async () => {
    await call("PUT", "/file", { file: seedFile() });
    expect((await call("POST", "/try", { text: "хочу вернуть" })).body).toMatchObject({
      outcome: "answered",
      rule_id: "returns",
      state_before: "default",
      state_after: "returns_order",
      buttons: [["Отменить возврат", "Позвать сотрудника"]],
    });
    expect((await call("POST", "/try", { text: "№ 777123", state: "returns_order" })).body).toMatchObject({
      rule_id: "returns_order",
      answers: { order_number: "777123" },
    });
    expect((await call("POST", "/try", { text: "чай", file: file("Чай есть") })).body).toMatchObject({
      rule_id: "tea",
      reply: "Чай есть",
    });
    expect((await call("POST", "/try", { press: "payment" })).body).toMatchObject({ rule_id: "payment" });
  });
});

describe("dialogues", () => {
  // covers shopbot: Seeing how it does
  it("are listed with their state, and read step by step with rule, version, state and the answer's fate", async () => {
    await call("PUT", "/file", { file: seedFile() });
    const chatId = await aDialogue("Мария");
    await ask(chatId, "возврат");
    await ask(chatId, "12345");
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 3,
    );
    const { items } = (await call("GET", "/dialogues?limit=1")).body;
    expect(items).toEqual([
      expect.objectContaining({
        chat_id: chatId,
        user_name: "Мария",
        state: "returns_reason",
        last_text: "12345",
      }),
    ]);
    const read = () => call("GET", `/dialogues/${chatId}`);
    const { body } = await eventually(read, ({ body: seen }) => seen.steps.at(-1)?.answer_status === "sent");
    expect(body.steps.at(-1)).toMatchObject({
      who: "customer",
      text: "12345",
      rule_id: "returns_order",
      rule_version: 1,
      state_before: "returns_order",
      state_after: "returns_reason",
      answer: expect.stringContaining("Записал заказ 12345"),
      answer_status: "sent",
    });
    expect((await call("GET", "/dialogues/999999")).status).toBe(404);
  });

  it("are read with the scope for people only, and each reading is on record", async () => {
    const chatId = await aDialogue("Мария");
    const without = await shop.server.bearer(
      ["read", "write", "operate", "payload", "admin"],
      shop.workspaceId,
    );
    const file = seedFile();
    const readings = [
      ["GET", "/dialogues?limit=1", undefined, "dialogues"],
      ["GET", `/dialogues/${chatId}`, undefined, "dialogue"],
      ["GET", "/unanswered", undefined, "unanswered_questions"],
      ["POST", "/replay", { file }, "replayed_messages"],
    ] as const;
    for (const [method, path, body, object] of readings) {
      expect(await call(method, path, body, without)).toMatchObject({
        status: 403,
        body: { code: "scope_missing" },
      });
      expect((await call(method, path, body)).status).toBe(200);
      const [event] = await shop.sql`
        select meta from workspaces.events
        where workspace_id = ${shop.workspaceId} and action = 'people_read' and meta ->> 'object' = ${object}`;
      expect(event?.meta).toMatchObject({ object, caller: { kind: "token", id: expect.any(String) } });
    }
  });

  it("come in pages", async () => {
    await aDialogue("Первая");
    await aDialogue("Вторая");
    const first = (await call("GET", "/dialogues?limit=1")).body;
    const second = (await call("GET", `/dialogues?limit=1&after=${encodeURIComponent(first.next)}`)).body;
    expect([first.items[0].user_name, second.items[0].user_name]).toEqual(["Вторая", "Первая"]);
  });

  // covers shopbot: Operator hand-over
  it("are joined by an operator from here, which silences the bot until the chat is given back", async () => {
    await call("PUT", "/file", { file: seedFile() });
    const chatId = await aDialogue();
    expect((await call("POST", `/dialogues/${chatId}/reply`, { text: "Это Олег, чем помочь?" })).status).toBe(
      202,
    );
    await eventually(
      () => shop.said(chatId),
      (seen) => seen.at(-1) === "Это Олег, чем помочь?",
    );
    await ask(chatId, "доставка");
    expect((await shop.logs(chatId)).at(-1)?.outcome).toBe("relayed");
    const { body } = await call("GET", `/dialogues/${chatId}`);
    expect(body.with_operator).toBe(true);
    expect(body.steps).toContainEqual(
      expect.objectContaining({ who: "operator", text: "Это Олег, чем помочь?" }),
    );
    expect((await call("POST", `/dialogues/${chatId}/return`)).body).toEqual({ returned: true });
    expect((await call("POST", `/dialogues/${chatId}/return`)).body).toEqual({ returned: false });
    await ask(chatId, "доставка");
    expect((await shop.logs(chatId)).at(-1)?.outcome).toBe("answered");
    await call("POST", `/dialogues/${chatId}/take`);
    expect((await call("GET", "/dialogues?with_operator=true")).body.items).toContainEqual(
      expect.objectContaining({ chat_id: chatId }),
    );
    expect((await call("POST", "/dialogues/404404/reply", { text: "Ау" })).status).toBe(404);
    expect((await call("POST", `/dialogues/${chatId}/reply`, { text: "  " })).status).toBe(400);
  });

  // covers shopbot: Seeing how it does
  it("show what nobody could answer, grouped by likeness", async () => {
    for (const text of ["подарочный сертификат есть?", "есть подарочные сертификаты?"])
      await ask(await aDialogue(), text);
    const { items: groups } = (await call("GET", "/unanswered")).body;
    expect(groups).toContainEqual(
      expect.objectContaining({ count: 2, words: expect.arrayContaining(["подар"]) }),
    );
  });

  // covers shopbot: Seeing how it does
  it("add up to figures", async () => {
    const { body } = await call("GET", "/stats?days=1");
    expect(body).toMatchObject({ messages: expect.any(Number), fallback: expect.any(Number) });
    expect(body.rules).toContainEqual({ rule_id: "returns", intent: "returns", count: expect.any(Number) });
    expect(body.answer_seconds.median).toBeGreaterThan(0);
  });
});

describe("the bot itself", () => {
  it("is seen, switched off and on; while it is off it says nothing", async () => {
    expect((await call("GET", "")).body).toMatchObject({
      title: expect.any(String),
      enabled: true,
      rules: expect.any(Number),
    });
    const chatId = await aDialogue();
    await call("PATCH", "", { enabled: false, reason: "ремонт" });
    await ask(chatId, "доставка");
    expect((await shop.logs(chatId)).at(-1)?.outcome).toBe("ignored");
    await call("PATCH", "", { enabled: true });
    await ask(chatId, "доставка");
    expect((await shop.logs(chatId)).at(-1)?.outcome).toBe("answered");
  });

  it("is made once, with its door and its secret; without a token it says what is missing", async () => {
    const other = await aWorkspace(shop.sql);
    const as = await shop.server.bearer(["read", "admin"], other);
    expect(await call("GET", "", undefined, as)).toMatchObject({
      status: 404,
      body: { code: "bot_missing" },
    });
    expect(await call("POST", "", { title: "Лавка" }, as)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/token" }] },
    });
    const made = await call("POST", "", { title: "Лавка", token: "lavka-token-123" }, as);
    expect(made).toMatchObject({ status: 201, body: { title: "Лавка", release: null, rules: 0 } });
    expect((await call("POST", "", { title: "Лавка", token: "lavka-token-123" }, as)).status).toBe(409);
    expect(JSON.stringify(made.body)).not.toContain("lavka-token-123");
  });

  it("is another workspace's own: a token of one cannot read the other's", async () => {
    const as = await shop.server.bearer(["read"], await aWorkspace(shop.sql));
    expect((await call("GET", `?workspace_id=${shop.workspaceId}`, undefined, as)).status).toBe(403);
    expect((await call("PUT", "/file", { file: seedFile() }, as)).status).toBe(403);
  });
});

describe("the subscription", () => {
  const standing = async () => (await shop.deps.maxBot.subscriptions(await context())).kind;
  async function context() {
    const [row] = await shop.sql`
      select secret_ref from workspaces.credential_bindings where workspace_id = ${shop.workspaceId} and auth_ref = 'shop-bot'`;
    const token = (await shop.deps.token(shop.workspaceId, row?.secret_ref)) ?? "";
    return { http: shop.deps.http, clock: shop.deps.clock, token };
  }

  // covers shopbot: Production mode is the webhook
  it("that MAX has dropped is made again and recorded, and one that exists is left alone", async () => {
    expect(await standing()).toBe("ok");
    const { webhook_url } = (await call("GET", "")).body;
    await shop.deps.maxBot.unsubscribe(webhook_url, await context());
    await call("PATCH", "", { keep_subscribed: true });
    const keeper = createSubscriptionKeeper({ ...shop.deps, publicUrl: () => shop.server.url() });
    await keeper.start();
    await eventually(
      async () => shop.sql`
        select from workspaces.events where workspace_id = ${shop.workspaceId} and action = 'bot_subscribed'`,
      (seen) => seen.length === 2,
    );
    await keeper.stop();
    expect(await keepSubscribed(shop.workspaceId, shop.server.url(), shop.deps)).toEqual({
      kind: "standing",
    });
    await aDialogue();
  });

  it("gets another secret on demand, and the old one opens nothing", async () => {
    const old = shop.secret;
    expect((await call("POST", "/subscribe", { new_secret: true })).status).toBe(200);
    expect(
      (await shop.deliver({ provider: "max", chat_id: "1", text: "?" }, { "x-molva-secret": old })).status,
    ).toBe(403);
    await aDialogue();
  });

  // covers shopbot: Operator hand-over
  it("of a rotated endpoint is told as broken, and mended by whoever looks after it", async () => {
    const { endpoint_id } = (await call("GET", "")).body;
    const rotate = (id: string) => rotateEndpoint(shop.deps, shop.workspaceId, id, {}, { operator: "anna" });
    await rotate(endpoint_id);
    expect((await call("GET", "")).body.subscription_error).toContain("secret was rotated");
    expect((await call("POST", "/subscribe", {})).body).toMatchObject({ subscription_error: null });
    await aDialogue();
    // By itself while a server runs: nobody has to know.
    await call("PATCH", "", { keep_subscribed: true });
    const keeper = createSubscriptionKeeper({ ...shop.deps, publicUrl: () => shop.server.url() });
    await keeper.start();
    const { endpoint_id: open, subscribed_at: before } = (await call("GET", "")).body;
    await rotate(open);
    // The error ends with the new secret; the old one still comes until MAX has been told.
    await eventually(
      async () => (await call("GET", "")).body,
      (seen) => seen.subscription_error === null && seen.subscribed_at !== before,
    );
    await aDialogue();
    await keeper.stop();
  });

  it("of an endpoint that somebody has closed says so, and opens nothing by itself", async () => {
    const { endpoint_id } = (await call("GET", "")).body;
    const set = (enabled: boolean) =>
      changeEndpoint(shop.deps, shop.workspaceId, endpoint_id, { enabled }, { operator: "anna" });
    await set(false);
    expect((await call("GET", "")).body.subscription_error).toContain("endpoint is disabled");
    const refused = await call("POST", "/subscribe", {});
    expect(refused).toMatchObject({ status: 502, body: { detail: expect.stringContaining("disabled") } });
    await set(true);
    expect((await call("POST", "/subscribe", {})).body.subscription_error).toBeNull();
    await aDialogue();
  });

  it("that MAX refuses is told in its words, and is tried again", async () => {
    await shop.control("POST", "/faults", {
      provider: "max",
      method: "GET /subscriptions",
      times: 1,
      fault: { kind: "status", status: 500, description: "upstream is down" },
    });
    expect(await call("POST", "/subscribe", {})).toMatchObject({
      status: 502,
      body: { code: "bot_provider_refused" },
    });
    expect((await call("GET", "")).body.subscription_error).toContain("upstream is down");
    expect((await call("POST", "/subscribe", {})).status).toBe(200);
  });
});

describe("the bot monitor", () => {
  const row = (result: string, rule: string | null) => ({
    workspace_id: shop.workspaceId,
    ts: clock.now(),
    chat_id: "m",
    inbound_provider_message_id: "m",
    action: "bot_engine_processed",
    result,
    outcome: rule ? "answered" : "fallback",
    message_text: "?",
    matched_rule_id: rule,
    rule_version: rule ? 1 : null,
    state_before: "default",
    state_after: "default",
  });
  const alerts = async () =>
    (
      await shop.sql`
      select action from workspaces.events where workspace_id = ${shop.workspaceId}
        and action in ('bot_error_spike', 'fallback_rate_high') order by ts, action`
    ).map(({ action }) => action);
  const logs = (count: number, result: string, rule: string | null) =>
    shop.sql`insert into shopbot.bot_logs ${shop.sql(Array.from({ length: count }, () => row(result, rule)))}`;

  // covers shopbot: Bot monitor
  it("counts the last 15 minutes: nothing gives 0, half is not too much, more than half and more than ten errors are", async () => {
    clock.advance(60);
    expect((await call("GET", "/monitor")).body).toMatchObject({
      window_minutes: 15,
      snapshot: { total_logs: 0, error_logs: 0, fallback_logs: 0, fallback_rate_pct: 0 },
      reasons: [],
    });
    await logs(10, "error", "tea");
    await logs(10, "ok", null);
    expect((await call("GET", "/monitor")).body).toMatchObject({
      snapshot: { total_logs: 20, error_logs: 10, fallback_logs: 10, fallback_rate_pct: 50 },
      reasons: [],
    });
    expect(await watchBots(shop.sql, clock.now())).toEqual([]);
    await logs(1, "error", null);
    expect((await call("GET", "/monitor")).body).toMatchObject({
      snapshot: { total_logs: 21, error_logs: 11, fallback_logs: 11, fallback_rate_pct: 52.38 },
      reasons: ["bot_error_spike", "fallback_rate_high"],
    });
  });

  // covers shopbot: Bot monitor
  it("leaves an event of each kind once in its window; the monitor of deliveries tells people", async () => {
    expect((await watchBots(shop.sql, clock.now())).sort()).toEqual([
      "bot_error_spike",
      "fallback_rate_high",
    ]);
    expect(await watchBots(shop.sql, clock.now())).toEqual([]);
    expect(await alerts()).toEqual(["bot_error_spike", "fallback_rate_high"]);
    const findings = await shop.sql`
      select reason from delivery.monitor_findings(${shop.workspaceId}, p_now => ${clock.now()}) order by reason`;
    expect(findings.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(["bot_error_spike", "fallback_rate_high"]),
    );
    clock.advance(16);
    expect(await watchBots(shop.sql, clock.now())).toEqual([]);
  });

  // covers shopbot: Bot monitor
  it("says nothing of a share of few questions, and goes by the bot's own measures", async () => {
    clock.advance(60);
    await logs(4, "ok", null);
    expect((await call("GET", "/monitor")).body).toMatchObject({
      snapshot: { total_logs: 4, fallback_rate_pct: 100 },
      thresholds: { errors: 10, fallback_rate_pct: 50, min_questions: 5 },
      reasons: [],
    });
    expect(await watchBots(shop.sql, clock.now())).toEqual([]);
    await call("PATCH", "", { monitor_min_questions: 4, monitor_minutes: 60 });
    clock.advance(30);
    expect((await call("GET", "/monitor")).body).toMatchObject({
      window_minutes: 60,
      reasons: ["fallback_rate_high"],
    });
    expect(await watchBots(shop.sql, clock.now())).toEqual(["fallback_rate_high"]);
    await call("PATCH", "", { monitor_fallback_pct: 100, monitor_errors: 0 });
    await logs(1, "error", "tea");
    expect((await call("GET", "/monitor")).body.reasons).toEqual(["bot_error_spike"]);
    expect((await call("PATCH", "", { monitor_minutes: 0 })).status).toBe(400);
  });
});

describe("a bot without an operators' group", () => {
  // covers shopbot: Operator hand-over
  it("promises nobody: its owner is warned when rules are applied, and people hear when a customer asks", async () => {
    const { operators_chat_id } = (await call("GET", "")).body;
    expect((await call("GET", "")).body.warnings).toEqual([]);
    const without = (await call("PATCH", "", { operators_chat_id: null })).body;
    expect(without.warnings).toMatchObject([{ code: "operator_missing" }]);
    const applied = (await call("PUT", "/file", { file: seedFile() })).body;
    expect(applied.warnings).toMatchObject([
      { code: "operator_missing", ru: expect.stringContaining("operators_chat_id") },
    ]);
    const chatId = await aDialogue();
    await ask(chatId, "позовите оператора");
    const said = await eventually(
      () => shop.said(chatId),
      (seen) => seen.length === 2,
    );
    expect(said.at(-1)).toContain("позвать его в этот чат я не могу");
    expect(said.at(-1)).toContain("8 800 100-20-30");
    const found = await shop.sql<{ reason: string }[]>`
      select reason from delivery.monitor_findings(${shop.workspaceId}, p_now => ${clock.now()})`;
    expect(found.map(({ reason }) => reason)).toContain("operator_missing");
    await call("PATCH", "", { operators_chat_id });
    expect((await call("PUT", "/file", { file: seedFile() })).body.warnings).toEqual([]);
  });
});

it("what is older than three months is forgotten, and nothing else", async () => {
  const chatId = await aDialogue("Память");
  await shop.sql`update shopbot.bot_inbox set received_at = received_at - interval '100 days' where chat_id = ${chatId}`;
  await shop.sql`update shopbot.bot_outbox set created_at = created_at - interval '100 days' where chat_id = ${chatId}`;
  await shop.sql`update shopbot.bot_logs set ts = ts - interval '100 days' where chat_id = ${chatId}`;
  await eventually(
    async () => shop.sql`select from shopbot.bot_outbox where chat_id = ${chatId} and status = 'sent'`,
    (seen) => seen.length === 1,
  );
  const [row] = await shop.sql`select shopbot.forget(p_now => ${clock.now()}) as forgotten`;
  expect(row?.forgotten).toBe(3);
  expect(await shop.logs(chatId)).toEqual([]);
});
