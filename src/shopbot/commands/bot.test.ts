import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { type Ran, runCommand } from "../../cli/testing/run-command.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { paths } from "../../kernel/paths/index.ts";
import { addBotCommand } from "./bot.ts";

let database: TestDatabase;
let twins: RunningTwins;
let workspace: string;
const home = tempFolder("cli-bot");
const rules = readFileSync(paths.shopBot, "utf8");
const file = join(home, "shop.yaml");

beforeAll(async () => {
  database = await testDatabase();
  await database.sql`select workspaces.ensure_event_partitions()`;
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  await fetch(`${twins.url}/_control/max/bots`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: "cli-shop-token", username: "cli_shop", first_name: "Магазин" }),
  });
});
afterAll(async () => {
  await twins.close();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  writeFileSync(file, rules);
});

function molva(...args: string[]): Promise<Ran> {
  const where = args[0] === "test" ? [] : ["--workspace", workspace];
  return runCommand(addBotCommand, ["bot", ...args, ...where], {
    MOLVA_HOME: home,
    DATABASE_URL: database.url,
    MAX_API_ROOT: `${twins.url}/max`,
    MOLVA_PUBLIC_URL: "https://shop.example.com",
    MOLVA_ENV: "development",
  });
}

const aBot = () => {
  const path = join(home, "token");
  writeFileSync(path, "cli-shop-token\n");
  return molva("setup", "Магазин", "--token-file", path);
};

describe("molva bot", () => {
  it("sets a bot up, puts its rules in force, and tells MAX where it listens", async () => {
    expect((await aBot()).out).toContain("Next: molva bot apply");
    expect((await molva("apply", file, "--reason", "первые правила")).out).toMatch(
      /^Release 1 is in force: 14 rules\.\nWarning: .* no operators' group is set.*operators_chat_id=<чат>\.$/,
    );
    expect((await molva("subscribe")).out).toContain("https://shop.example.com/api/v1/bots/max/webhook");
    expect((await molva("show")).out).toMatch(/keep_subscribed +true/);
    expect((await molva("rule", "list")).out).toContain("returns_order");
  });

  // covers shopbot: Rules as tested text
  it("exports the file as it was written, comments and all", async () => {
    await aBot();
    await molva("apply", file);
    expect((await molva("export")).out).toBe(rules.trimEnd());
    const copy = join(home, "copy.yaml");
    await molva("export", copy);
    expect(readFileSync(copy, "utf8")).toBe(rules);
  });

  // covers shopbot: Rules as tested text
  it("shows what a file would change, applies it, and goes back with one command", async () => {
    await aBot();
    await molva("apply", file);
    writeFileSync(
      file,
      rules.replace("delivery_price: 350", "delivery_price: 400").replaceAll("350 ₽", "400 ₽"),
    );
    expect((await molva("diff", file)).out).toContain("variables:");
    expect((await molva("apply", file)).out).toContain("Release 2");
    expect((await molva("try", "доставка")).out).toContain("400 ₽");
    expect((await molva("rollback", "--reason", "рано")).out).toBe(
      "Release 3 is in force: 14 rules. It is release 1 again.",
    );
    expect((await molva("try", "доставка")).out).toContain("350 ₽");
    expect((await molva("releases")).out).toContain("release 1 again; рано");
    expect((await molva("diff", file)).code).toBe(0);
  });

  // covers shopbot: Rules as tested text
  it("tests a file without any server, and says what is wrong and where", async () => {
    expect(await molva("test", file)).toMatchObject({
      code: 0,
      out: "12 of 12 dialogues go as written; they show 14 of 14 rules.",
    });
    writeFileSync(file, rules.replace("bot: Курьером по Москве", "bot: Дроном"));
    const failed = await molva("test", file);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain("Знакомство, line 4: expected “Дроном”, but delivery says");
    writeFileSync(file, rules.replace("keywords: [гаранти,", 'keywords: ["",'));
    expect((await molva("test", file)).err).toMatch(
      /line \d+: rules\/7\/keywords\/0: Something must be written here/,
    );
  });

  it("refuses to apply a file whose examples fail", async () => {
    await aBot();
    writeFileSync(file, rules.replace("bot: Курьером по Москве", "bot: Дроном"));
    const refused = await molva("apply", file);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("Знакомство, line 4");
    expect((await molva("apply", file, "--force")).code).toBe(0);
  });

  // covers shopbot: Rules as tested text
  it("replays real messages before new rules come into force", async () => {
    await aBot();
    await molva("apply", file);
    await database.sql`
      insert into shopbot.bot_inbox (workspace_id, provider, chat_id, provider_message_id, ts, body, payload, trace_id, processed_at)
      values (${workspace}, 'max', '7', 'm', now(),
        ${database.sql.json({ kind: "message", text: "а какао есть?", attachments: [], sender: {} })}, '{}', 't', now())`;
    writeFileSync(
      file,
      rules.replace("rules:\n", "rules:\n  - { id: cocoa, keywords: [какао], answer: Есть }\n"),
    );
    const { out } = await molva("replay", file, "--last", "500");
    expect(out).toContain("1 message of 1 chat: 1 would be answered differently, 1 would find a rule");
    expect(out).toContain("now  cocoa: Есть");
  });

  // covers shopbot: Operator hand-over
  it("reads dialogues, answers in them, and says so when there is none", async () => {
    await aBot();
    await molva("apply", file);
    expect((await molva("dialogue", "list")).out).toBe("No dialogues.");
    expect((await molva("dialogue", "show", "5")).err).toBe("There is no dialogue with the chat 5.");
    await database.sql`insert into shopbot.bot_chats (workspace_id, chat_id, user_name) values (${workspace}, '5', 'Анна')`;
    expect((await molva("dialogue", "reply", "5", "Здравствуйте")).out).toContain("On its way");
    expect((await molva("dialogue", "show", "5")).out).toContain("operator command:uid:");
    expect((await molva("dialogue", "list", "--with-operator")).out).toContain("Анна");
    expect((await molva("dialogue", "reply", "5", "а".repeat(4_001))).err).toContain("4000");
    expect((await molva("dialogue", "return", "5")).out).toBe("The bot answers there again.");
    expect((await molva("dialogue", "take", "5")).out).toBe("The bot is silent there.");
  });

  // covers shopbot: Seeing how it does
  it("shows figures, what nobody could answer, and the monitor's look", async () => {
    await aBot();
    expect((await molva("unanswered")).out).toBe("Every question had a rule.");
    expect((await molva("stats")).out).toMatch(/messages +0/);
    const monitored = (await molva("monitor")).out;
    expect(monitored).toContain("All is well.");
    expect(monitored).toMatch(/unanswered +\d+ \(\d+ %\), an alert above 50 % of at least 5 questions/);
  });

  it("works on one rule: its versions, an earlier one again, out of force", async () => {
    await aBot();
    await molva("apply", file);
    writeFileSync(file, rules.replace("answer: Пожалуйста! Если", "answer: Пожалуйста, если"));
    await molva("apply", file);
    expect((await molva("rule", "show", "thanks")).out).toContain("version 2 (in force)");
    expect((await molva("rule", "activate", "thanks", "1")).out).toContain("Release 3");
    expect((await molva("rule", "show", "thanks")).out).toContain("version 1 (in force)");
    expect((await molva("rule", "remove", "thanks")).out).toContain("13 rules");
  });

  // covers shopbot: Rules as tested text
  it("saves one rule: new, changed field by field, or whole from a file; the rest of the file stays", async () => {
    await aBot();
    await molva("apply", file);
    const saved = await molva(
      "rule",
      "save",
      "cocoa",
      "keywords=какао,шоколад",
      "answer=Есть по {{ phone }}",
    );
    expect(saved.out).toBe("cocoa@1. Release 2 is in force: 15 rules.");
    await molva("rule", "save", "cocoa", "priority=10", "--reason", "раньше других");
    expect((await molva("rule", "save", "cocoa", "answer=Есть")).out).toContain("cocoa@3");
    expect((await molva("try", "ШОКОЛАД есть?")).out).toMatch(/^answered by cocoa@3/);
    const alone = join(home, "cocoa.yaml");
    writeFileSync(
      alone,
      "keywords: [какао]\nanswer: Закончилось\nbuttons: [[{ text: Доставка, press: delivery }]]\n",
    );
    expect((await molva("rule", "save", "cocoa", "--file", alone)).out).toContain("cocoa@4");
    expect((await molva("try", "шоколад")).out).toMatch(/^fallback/);
    expect((await molva("export")).out).toContain(rules.trimEnd().slice(0, 500));
  });

  // covers shopbot: Rules as tested text
  it("refuses a rule that could not speak, and names the place", async () => {
    await aBot();
    await molva("apply", file);
    const fault = async (...args: string[]) => (await molva("rule", "save", ...args)).err;
    expect(await fault("cocoa", "keywords=")).toContain("keywords/0: Something must be written here");
    expect(await fault("cocoa", "keywords=какао", "answer={% if %}")).toContain(
      "answer: The template cannot be read: line 1",
    );
    expect(await fault("cocoa", "keyword=какао", "answer=Есть")).toContain("keyword");
    expect(await fault("cocoa")).toContain("field=value, or the whole rule with --file");
    const alone = join(home, "other.yaml");
    writeFileSync(alone, "id: tea\nanswer: Есть\n");
    expect(await fault("cocoa", "--file", alone)).toBe("The rule is called tea, not cocoa.");
    writeFileSync(alone, "- answer: [\n");
    expect((await molva("rule", "save", "cocoa", "--file", alone)).code).toBe(1);
    expect((await molva("releases")).out).not.toContain("2 ");
  });

  it("says what to do where there is no bot yet", async () => {
    expect((await molva("show")).err).toContain("molva bot setup");
    expect((await molva("export")).err).toContain("molva bot apply");
    expect((await molva("set", "rate_rps=много")).code).toBe(2);
  });
});
