import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { doctorCommand } from "../../cli/commands/doctor.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { runCommand } from "../../cli/testing/run-command.ts";
import { addLlm } from "./llm.ts";

let twins: TestTwins;
const environment: Record<string, string> = {};
beforeAll(async () => {
  twins = await startTestTwins();
  Object.assign(environment, {
    MOLVA_ENV: "development",
    OPENROUTER_BASE_URL: `${twins.url}/openrouter/api/v1`,
    OPENROUTER_API_KEY: "sk-or-v1-molva-demo-0000000000000000",
  });
});
afterAll(() => twins?.close());

const harness = cliHarness({
  home: tempFolder("cli-llm"),
  openDatabase: async () => {
    const database = await testDatabase();
    await database.sql`select workspaces.ensure_event_partitions()`;
    return database;
  },
  commands: { llm: addLlm },
  environment,
});
const { molva, json, lastEvent, home } = harness;

describe("molva llm policy", () => {
  // covers llm: Policies in a table, switched without a deploy
  it("lists what the release brings, changes it, and the change is in the audit trail", async () => {
    expect((await molva("llm", "policy", "list")).out).toMatch(
      /^POLICY +STATE[\s\S]*free_default +on +openrouter/,
    );
    await molva(
      "llm",
      "policy",
      "set",
      "free_default",
      "model=openai/gpt-4o-mini",
      "fallbacks=[]",
      "temperature=null",
      "--reason",
      "дешевле",
    );
    expect(await json("llm", "policy", "show", "free_default")).toMatchObject({
      model: "openai/gpt-4o-mini",
      fallbacks: [],
      temperature: null,
    });
    expect(await lastEvent()).toMatchObject({
      action: "config_changed",
      meta: {
        object: "llm_policy",
        key: "free_default",
        reason: "дешевле",
        operator: expect.stringMatching(/^command:uid:\d+@./),
      },
    });
  });

  it("adds, tries and deletes one", async () => {
    await molva(
      "llm",
      "policy",
      "add",
      "mine",
      "provider=openrouter",
      "model=google/gemini-2.5-flash",
      "max_tokens=200",
      "timeout_ms=9000",
    );
    const tried = await molva("llm", "policy", "try", "mine", "Всё ли в порядке?", "--user", "7");
    expect(tried).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /Всё ли в порядке\?[\s\S]*model +openrouter google\/gemini-2.5-flash[\s\S]*cost +\$0\.\d+/,
      ),
    });
    await molva("llm", "policy", "delete", "mine", "--reason", "не нужна");
    expect(await molva("llm", "policy", "show", "mine")).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no policy mine."),
    });
  });

  it("says what is wrong with a field, and with an answer that did not come", async () => {
    expect(await molva("llm", "policy", "set", "free_default", "max_tokens=many")).toMatchObject({
      code: 2,
      err: expect.stringContaining("max_tokens"),
    });
    await molva("llm", "policy", "set", "free_default", "enabled=false");
    expect(await molva("llm", "policy", "try", "free_default")).toMatchObject({
      code: 1,
      out: expect.stringContaining("policy_disabled"),
    });
  });
});

describe("molva llm prompt", () => {
  // covers llm: Prompts as versioned files
  it("saves a text as the next version, shows it, and goes back", async () => {
    const file = join(home, "prompt.md");
    writeFileSync(file, "Отвечай стихами.\n=== user ===\n{{ text }}");
    expect((await molva("llm", "prompt", "save", "try-out", "--file", file)).out).toContain(
      "molva llm prompt activate try-out 2",
    );
    expect((await molva("llm", "prompt", "activate", "try-out", "2")).out).toBe(
      "try-out version 2 is active.",
    );
    expect((await molva("llm", "prompt", "show", "try-out")).out).toMatch(
      /version +2 \(active\)[\s\S]*Отвечай стихами/,
    );
    expect((await molva("llm", "prompt", "list")).out).toMatch(/try-out +2 +active +operator/);
    await molva("llm", "prompt", "activate", "try-out", "1");
    expect(await json("llm", "prompt", "show", "try-out")).toMatchObject({
      version: 1,
      source: "file",
      versions: [2, 1],
    });
    writeFileSync(file, "{% if");
    expect(await molva("llm", "prompt", "save", "try-out", "--file", file)).toMatchObject({
      code: 1,
      err: expect.stringContaining("cannot be used"),
    });
  });
});

describe("molva llm budget and price", () => {
  it("set caps that hold, and lift them", async () => {
    expect((await molva("llm", "budget", "set", "user", "day", "calls", "1", "--subject", "7")).out).toBe(
      "At most 1 calls a day for user 7.",
    );
    await molva("llm", "policy", "try", "free_default", "--user", "7");
    expect((await molva("llm", "policy", "try", "free_default", "--user", "7")).out).toContain(
      "budget_exceeded",
    );
    expect((await molva("llm", "budget", "list")).out).toMatch(/user +7 +day +calls +1 +1/);
    await molva("llm", "budget", "delete", "user", "day", "calls", "--subject", "7", "--reason", "хватит");
    expect((await molva("llm", "budget", "list")).out).toBe("No caps.");
    expect((await molva("llm", "budget", "set", "installation", "month", "calls", "0")).out).toBe(
      "At most 0 calls a month for the installation.",
    );
    expect((await molva("llm", "budget", "list")).out).toMatch(/installation +month +calls +0 +\d/);
    expect((await molva("llm", "usage")).out).toMatch(/All workspaces together: \d+ of 0 calls this month\./);
    const lift = ["llm", "budget", "delete", "installation", "month", "calls", "--reason", "хватит"];
    await molva(...lift);
    expect(await lastEvent()).toMatchObject({
      action: "config_changed",
      meta: {
        object: "llm_installation_cap",
        period: "month",
        unit: "calls",
        deleted: true,
        reason: "хватит",
      },
    });
    expect((await molva("llm", "budget", "list")).out).toBe("No caps.");
    expect((await molva(...lift)).err).toContain("no such cap");
    expect(await molva("llm", "budget", "set", "team", "day", "calls", "1")).toMatchObject({
      code: 2,
      err: expect.stringContaining("scope"),
    });
  });

  it("set prices", async () => {
    await molva("llm", "price", "set", "compatible", "llama", "0", "0.5");
    expect((await molva("llm", "price", "list")).out).toMatch(/compatible +llama +0 +0.5/);
    expect(await molva("llm", "price", "set", "compatible", "llama", "free", "0")).toMatchObject({ code: 2 });
  });
});

describe("molva llm usage and calls", () => {
  // covers llm: Every call recorded and reported
  it("tell what was asked and what it cost, by day, policy, model and user", async () => {
    expect((await molva("llm", "usage")).out).toBe("Nothing was asked in this time.");
    await molva("llm", "policy", "try", "pro_default", "--user", "7");
    expect((await molva("llm", "usage")).out).toMatch(/^DAY +CALLS +FAILED[\s\S]*\d{4}-\d\d-\d\d +1 +0 +1/);
    expect(await json("llm", "usage", "--by", "policy,model,user")).toMatchObject({
      items: [
        {
          policy: "pro_default",
          model: "google/gemini-2.5-flash",
          user_id: "7",
          calls: 1,
          cost_usd: expect.any(Number),
        },
      ],
    });
    expect(await molva("llm", "usage", "--by", "week")).toMatchObject({
      code: 2,
      err: expect.stringContaining("day, policy, model, user"),
    });
    expect((await molva("llm", "calls")).out).toMatch(
      /pro_default +google\/gemini-2.5-flash +ok +1 +0\.\d+ +7/,
    );
  });
});

describe("molva doctor", () => {
  const look = (more: Record<string, string>) =>
    runCommand(doctorCommand([]), ["doctor", "--json"], {
      ...environment,
      MOLVA_HOME: home,
      MOLVA_PORT: "0",
      MOLVA_TWIN_PORT: "0",
      DATABASE_URL: harness.databaseUrl,
      ...more,
    });
  const finding = (out: string, name: string) =>
    JSON.parse(out).findings.find(({ check }: { check: string }) => check === name);
  const models = (out: string) => finding(out, "language models");

  it("tells how much of the installation's cap is used, and when nothing is left", async () => {
    const spending = async () => finding((await look({})).out, "spending on models");
    expect(await spending()).toMatchObject({ ok: true, says: expect.stringContaining("no cap") });
    await molva("llm", "budget", "set", "installation", "month", "usd", "1000");
    expect(await spending()).toMatchObject({
      ok: true,
      says: expect.stringMatching(/ of 1000 usd used this month/),
    });
    await molva("llm", "budget", "set", "installation", "month", "usd", "0");
    expect(await spending()).toMatchObject({
      ok: false,
      says: expect.stringContaining("models answer nothing"),
    });
    await molva("llm", "budget", "delete", "installation", "month", "usd", "--reason", "хватит");
  });

  // covers llm: Keys nowhere but in the request
  it("says whether language models answer and take the key", async () => {
    expect(models((await look({})).out)).toMatchObject({
      ok: true,
      says: expect.stringContaining("takes the key"),
    });
    const wrong = await look({ OPENROUTER_API_KEY: "sk-or-v1-wrong-0000000000000000" });
    expect(models(wrong.out)).toMatchObject({ ok: false, says: expect.stringContaining("refuses the key") });
    expect(wrong.out).not.toContain("sk-or-v1-wrong");
    expect(models((await look({ OPENROUTER_API_KEY: "" })).out)).toMatchObject({
      ok: true,
      says: expect.stringContaining("no provider is configured"),
    });
    const away = await look({ OPENROUTER_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(models(away.out)).toMatchObject({ ok: false, says: expect.stringContaining("does not answer") });
  });
});
