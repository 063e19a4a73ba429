import { createHmac } from "node:crypto";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { removeAlertTarget } from "../admin/alerts/change-alert-targets.ts";
import { alertTargetPage } from "../admin/alerts/read-alerts.ts";
import { aChannel } from "../testing/builders.ts";
import { composeLetter } from "./alert-letter.ts";
import { alertReasons } from "./findings.ts";
import { type MonitorRun, runMonitor } from "./run-monitor.ts";
import { createMailer } from "./targets/email.ts";
import { sendToTelegram } from "./targets/telegram.ts";
import { anAlertTarget, type GivenTarget } from "./testing/an-alert-target.ts";
import { type MailBox, startMailBox } from "./testing/mail-box.ts";
import { monitorDeps, type TestMonitor } from "./testing/monitor-deps.ts";
import { aTroubledWorkspace, minute, type TroubledWorkspace } from "./testing/troubled-workspace.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./testing/webhook-receiver.ts";

const botToken = `1001:${"A".repeat(35)}`;
const adminChat = 77;

let database: TestDatabase;
let twins: RunningTwins;
let mailBox: MailBox;
let receiver: WebhookReceiver;
let workspace: TroubledWorkspace;
let monitor: TestMonitor;

beforeAll(async () => {
  database = await testDatabase();
  mailBox = await startMailBox();
  receiver = await startWebhookReceiver();
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  await control("/telegram/bots", { token: botToken, username: "molva_bot", first_name: "Молва" });
  await control("/telegram/chats", {
    id: adminChat,
    type: "private",
    first_name: "Дежурный",
    members: [{ bot: "molva_bot" }],
  });
});
afterAll(async () => {
  await twins.close();
  await receiver.close();
  await mailBox.close();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aTroubledWorkspace(database.sql, "Газета <Утро>");
  monitor = monitorDeps({
    sql: database.sql,
    clock: workspace.clock,
    telegramApiRoot: `${twins.url}/telegram`,
    webhookHosts: [receiver.host],
    smtpUrl: mailBox.url,
  });
  await aChannel(database.sql, workspace.id, { title: "Новости & <спорт>" });
});
afterEach(() => monitor.close());

async function control(path: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${twins.url}/_control${path}`, {
    ...init,
    headers: { "content-type": "application/json" },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function alertTo(target: GivenTarget): Promise<MonitorRun> {
  await anAlertTarget(database.sql, monitor.vault, workspace.id, target);
  await workspace.die("Не дошло");
  return runMonitor(monitor.deps, { workspaceId: workspace.id });
}

const telegramTarget = (language: "ru" | "en" = "ru"): GivenTarget => ({
  kind: "telegram",
  config: { chat_id: adminChat },
  secret: botToken,
  language,
});

async function chatTexts(): Promise<string[]> {
  const answer = await control(`/chats/telegram/${adminChat}/messages`);
  const { messages } = answer as { messages: { text: string }[] };
  return messages.map(({ text }) => text);
}

describe("a Telegram chat", () => {
  // covers autoposting: Responsibilities
  it("gets what happened, how many, in which channel, what to do and where to look", async () => {
    const { notification } = await alertTo(telegramTarget());
    expect(notification).toMatchObject({ delivered: true });
    expect((await chatTexts()).at(-1)).toBe(
      [
        "Молва, Газета <Утро>: нужно внимание",
        "",
        "Доставки, исчерпавшие попытки: 1",
        "• Новости & <спорт>: upstream_unavailable, так не пойдёт",
        "Узнайте причину командой molva why, устраните её и отправьте снова: molva delivery requeue.",
        "",
        "Подробности в консоли: https://molva.example.com/",
      ].join("\n"),
    );
  });

  it("gets it in English when it asks for it", async () => {
    await alertTo(telegramTarget("en"));
    expect((await chatTexts()).at(-1)).toContain("Deliveries that ran out of attempts: 1");
  });

  it("that refuses is reported with the provider's words", async () => {
    const refused: GivenTarget = {
      ...telegramTarget(),
      kind: "telegram",
      config: { chat_id: 404 },
      secret: botToken,
    };
    const { ok, notification } = await alertTo(refused);
    expect(ok).toBe(false);
    expect(notification.letters[0]?.error).toMatch(/chat not found/i);
  });
});

describe("an alert too long for Telegram", () => {
  it("is sent without its cases", async () => {
    const examples = [1, 2, 3].map((n) => ({
      count: n,
      channel: "К".repeat(120),
      code: "upstream_unavailable",
      message: "Ы".repeat(200),
    }));
    const findings = alertReasons.map((reason) => ({ reason, count: 9, threshold: 0, examples }));
    const facts = {
      workspace: "Газета",
      timezone: "UTC",
      findings,
      consoleUrl: "https://molva.example.com/",
    };
    const sent = await sendToTelegram(
      {
        workspaceId: workspace.id,
        workspace: facts.workspace,
        alertId: workspace.id,
        fingerprint: "test",
        findings,
        raisedAt: workspace.clock.now(),
        targetId: workspace.id,
        config: { chat_id: adminChat },
        secret: botToken,
        isTest: false,
        letter: composeLetter(facts, "ru"),
        consoleUrl: facts.consoleUrl,
      },
      monitor.deps,
    );
    expect(sent).toEqual({ ok: true });
    const text = (await chatTexts()).at(-1);
    expect(text).toContain("Замолчавшие каналы: 9");
    expect(text).not.toContain("•");
  });
});

describe("a webhook", () => {
  it("gets the alert signed by the Standard Webhooks convention", async () => {
    const key = Buffer.from("a key of twenty-four byte");
    const { notification } = await alertTo({
      kind: "webhook",
      config: { url: receiver.url, headers: { "x-team": "ops" } },
      secret: `whsec_${key.toString("base64")}`,
    });
    expect(notification.delivered).toBe(true);
    const { headers, text, body } = receiver.received.at(-1) ?? {};
    expect(headers).toMatchObject({ "content-type": "application/json", "x-team": "ops" });
    const signed = `${headers?.["webhook-id"]}.${headers?.["webhook-timestamp"]}.${text}`;
    expect(headers?.["webhook-signature"]).toBe(
      `v1,${createHmac("sha256", key).update(signed).digest("base64")}`,
    );
    expect(Number(headers?.["webhook-timestamp"])).toBe(workspace.clock.now().getTime() / 1000);
    expect(body).toMatchObject({
      type: "alert.raised",
      data: {
        workspace_id: workspace.id,
        reasons: ["dead_deliveries"],
        findings: [{ reason: "dead_deliveries", count: 1 }],
        console_url: "https://molva.example.com/",
      },
    });
  });

  it("at a private address is refused before anything is sent", async () => {
    const { notification } = await alertTo({ kind: "webhook", config: { url: "http://10.0.0.1/alerts" } });
    expect(notification).toMatchObject({ delivered: false, reason: "delivery_failed" });
    expect(notification.letters[0]?.error).toMatch(/^refused/);
  });
});

describe("an e-mail address", () => {
  // covers autoposting: Responsibilities
  it("gets a letter with a telling subject", async () => {
    const { notification } = await alertTo({
      kind: "email",
      config: { to: ["ops@example.com", "boss@example.com"], from: "Молва <molva@example.com>" },
      language: "en",
    });
    expect(notification.delivered).toBe(true);
    const { from, to, source } = mailBox.received.at(-1) ?? { source: "" };
    expect({ from, to }).toEqual({ from: "molva@example.com", to: ["ops@example.com", "boss@example.com"] });
    expect(source).toMatch(/^Auto-Submitted: auto-generated/im);
    expect(source).toContain("Deliveries_that_ran_out_of_attempts");
    expect(source).toContain(`Date: ${workspace.clock.now().toUTCString().replace("GMT", "+0000")}`);
    expect(source).toContain("upstream_unavailable");
  });

  it("that is refused gets it with the next run", async () => {
    mailBox.refuse(true);
    const before = mailBox.received.length;
    const failed = await alertTo({ kind: "email", config: { to: "ops@example.com" } });
    expect(failed.notification.letters[0]?.error).toMatch(/mail server did not take it/);
    mailBox.refuse(false);
    workspace.clock.advance(minute);
    const again = await runMonitor(monitor.deps, { workspaceId: workspace.id });
    expect(again.notification.delivered).toBe(true);
    expect(mailBox.received).toHaveLength(before + 1);
  });

  it.each([
    ["says nothing", { silenceMs: 50 }, () => {}],
    ["never comes to an end", { wholeMs: 80 }, trickle],
    [
      "sends too much",
      { maxBytes: 1_000 },
      (socket: Socket): void => void socket.write("220 ".padEnd(5_000, "x")),
    ],
  ])("through a server that %s is given up", async (_case, given, greet: (socket: Socket) => void) => {
    const server = createServer((socket) => greet(socket.on("error", () => {}).resume()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const limits = { connectMs: 10_000, silenceMs: 10_000, wholeMs: 10_000, maxBytes: 100_000, ...given };
    const mailer = createMailer({ url: `smtp://127.0.0.1:${port}`, limits });
    const mail = { to: ["ops@example.com"], subject: "", text: "", id: "1", date: new Date() };
    try {
      await expect(mailer.send(mail)).rejects.toThrow(/said nothing|no complete answer|sent more than/);
    } finally {
      server.close();
    }
  });

  it("without a mail server is reported with the setting's name", async () => {
    await anAlertTarget(database.sql, monitor.vault, workspace.id, {
      kind: "email",
      config: { to: "ops@example.com" },
    });
    await workspace.die("Некому нести");
    const { notification } = await runMonitor(
      { ...monitor.deps, mailer: undefined },
      { workspaceId: workspace.id },
    );
    expect(notification.letters[0]?.error).toContain("MOLVA_SMTP_URL");
  });
});

/** Sends the greeting line by line, slowly, and never its last line. */
function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write("220-wait\r\n"), 10);
  socket.on("close", () => clearInterval(timer));
}

describe("a target's secret", () => {
  it("is stored encrypted, never listed, and goes with the target", async () => {
    const id = await anAlertTarget(database.sql, monitor.vault, workspace.id, telegramTarget());
    const [secret] = await database.sql`
      select ciphertext from workspaces.secrets where workspace_id = ${workspace.id}`;
    expect(secret?.ciphertext).not.toContain(botToken);
    expect(JSON.stringify(await alertTargetPage(database.sql, workspace.id))).not.toContain("vault:");
    const remove = () => removeAlertTarget(monitor.deps, workspace.id, id, { operator: "test" });
    await remove();
    await expect(remove()).rejects.toMatchObject({ code: "not_found" });
    expect(
      await database.sql`select from workspaces.secrets where workspace_id = ${workspace.id}`,
    ).toHaveLength(0);
  });
});
