/** A product is a folder and a line: everything a module brings is there with that line, and gone without it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/cli/main.ts";
import { demo } from "../../src/delivery/index.ts";
import { createApiToken } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { modules } from "../../src/modules.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { until } from "../support/until.ts";
import { toy } from "./toy.ts";

const done: string[] = [];
const withToy = [...modules, toy((what) => void done.push(what))];

const webhook = `/api/v1/bots/telegram/toy-bot/${demo.workspaceId}`;

async function molva(
  args: readonly string[],
  brought: typeof withToy | undefined,
  environment: Record<string, string> = {},
) {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const terminal = { environment, out: say, err: say, isTerminal: false };
  const code = await run(args, terminal, brought);
  return { code, said: said.join("\n") };
}

describe("with its line", () => {
  let running: RunningSystem;
  let told: readonly string[];

  beforeAll(async () => {
    running = await startSystem({ modules: withToy, environment: { TOY_COLOUR: "синий" } });
    told = await running.system.seed();
  });
  afterAll(() => running?.stop());

  it("its route begins work that its task does, as an operator with the scope may", async () => {
    const paint = (authorization?: string) =>
      fetch(`${running.system.url()}/api/v1/toys/paint`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(authorization && { authorization }) },
        body: "{}",
      });
    expect((await paint()).status).toBe(401);
    const { token } = await createApiToken(running.database.sql, {
      ...{ name: "painter", scopes: ["write"], workspaceId: demo.workspaceId },
      ...{ createdBy: null, expiresAt: null, clock: systemClock },
    });
    const answer = await paint(`Bearer ${token}`);
    expect([answer.status, await answer.json()]).toEqual([202, { job_id: expect.any(String) }]);
    await until("it is painted", async () => done.includes("painted синий") || undefined);
  });

  it("its upkeep is on the timetable, its demo is seeded, its bot is known to the server", async () => {
    const known = await running.database.sql`select identifier from graphile_worker._private_known_crontabs`;
    expect(known.map(({ identifier }) => identifier)).toContain("toy.dust");
    expect(told).toContain("the toy is seeded");
    const answer = await fetch(`${running.system.url()}${webhook}`, { method: "POST" });
    expect(answer.status).toBe(403);
  });

  it("its metric is measured, and each metric that is shown is stated by a module", async () => {
    const shown = await (await fetch(`${running.system.url()}/metrics`)).text();
    expect(shown).toContain('molva_toys_painted_total{colour="синий"} 1');
    const own = [...shown.matchAll(/^# HELP molva_(?!process_|nodejs_)(\w+)/gm)].map(([, name]) => name);
    const stated = withToy.flatMap(({ metrics = [] }) => metrics.map(({ name }) => name));
    expect(stated.toSorted()).toEqual(own.toSorted());
  });

  it("its setting is read, explained, and refused when it is wrong", async () => {
    expect(await molva(["toy"], withToy)).toEqual({ code: 0, said: "the toy is красный" });
    expect((await molva(["config", "example"], withToy)).said).toContain("#TOY_COLOUR=красный");
    const wrong = await molva(["delivery", "list"], withToy, { TOY_COLOUR: "серый" });
    expect(wrong).toEqual({ code: 2, said: expect.stringContaining("TOY_COLOUR must be one of") });
  });

  it("its command runs and its flow is printed", async () => {
    expect((await molva(["--help"], withToy)).said).toMatch(/^ {2}toy$/m);
    expect((await molva(["flows", "ToyGreeting"], withToy)).said).toContain("hello");
  });
});

it("without its line nothing of it is left", async () => {
  const running = await startSystem();
  try {
    const post = (path: string) => fetch(`${running.system.url()}${path}`, { method: "POST" });
    expect((await post("/api/v1/toys/paint")).status).toBe(404);
    expect((await post(webhook)).status).toBe(404);
    expect(await (await fetch(`${running.system.url()}/metrics`)).text()).not.toContain("toys");
    expect((await molva(["config", "example"], undefined)).said).not.toContain("TOY_COLOUR");
    expect((await molva(["toy"], undefined)).said).toContain("unknown command 'toy'");
    expect((await molva(["flows", "ToyGreeting"], undefined)).said).toContain("There is no flow ToyGreeting");
  } finally {
    await running.stop();
  }
});
