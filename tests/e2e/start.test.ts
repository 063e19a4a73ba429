import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connect } from "../../src/kernel/db/index.ts";
import { removeEmbeddedPostgres, runningPostgresUrl } from "../../src/kernel/postgres/index.ts";
import { freePorts, type Molva, refusedMolva, startMolva } from "../support/molva.ts";
import { tempFolder } from "../support/temp-folder.ts";

let folder: string;
let home: string;
let ports: { port: number; twinPort: number };
const running: Molva[] = [];

beforeEach(async () => {
  folder = tempFolder("start");
  home = join(folder, "home");
  ports = await freePorts();
});

afterEach(async () => {
  for (const molva of running.splice(0)) await molva.interrupt();
  if (existsSync(home)) await removeEmbeddedPostgres(home);
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<Molva> {
  const molva = await startMolva({ home, ...ports });
  running.push(molva);
  return molva;
}

/** Posts with the very secret that the banner shows, and answers with the id of the stored message. */
async function post(molva: Molva, text: string): Promise<string> {
  const secret = /X-Molva-Secret: ([^']+)/.exec(molva.output())?.[1] ?? "";
  const answer = await fetch(`${molva.url}/api/v1/ingest`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-molva-secret": secret },
    body: JSON.stringify({ payload: { text } }),
  });
  expect(answer.status).toBe(200);
  return z.object({ message_id: z.string() }).parse(await answer.json()).message_id;
}

async function isStored(messageId: string): Promise<boolean> {
  const sql = connect({ url: (await runningPostgresUrl(home)) ?? "", max: 1 });
  try {
    return (await sql`select from delivery.messages where message_id = ${messageId}`).length === 1;
  } finally {
    await sql.end();
  }
}

/** Unusual channels that people add to the demo: without a title, by a name, to a person, and one without a twin. */
async function addUnusualChannels(): Promise<void> {
  const sql = connect({ url: (await runningPostgresUrl(home)) ?? "", max: 1 });
  try {
    await sql`
      insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group)
      select w.workspace_id, t.platform, t.target, 'demo-bot', 'demo-bot'
      from workspaces.workspaces w, (values ('telegram', '-1005550001'), ('telegram', '@my_own_channel'),
        ('max', 'user:77'), ('max', '-5550000000000000004')) as t (platform, target)`;
  } finally {
    await sql.end();
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

describe("npm start", { timeout: 300_000 }, () => {
  it("starts everything from nothing, stops it all on Ctrl-C, keeps the data, shares its home with nobody, and starts again after everything was killed", async () => {
    const first = await start();
    expect(first.output()).toContain(first.url);
    expect(first.output()).toContain(first.twinUrl);
    expect(first.output()).toMatch(/signin#\S+/);
    expect(await answers(first.twinUrl)).toBe(true);
    const messageId = await post(first, "Первый пост");

    await addUnusualChannels();

    await first.interrupt();
    expect(await answers(first.url)).toBe(false);
    expect(await answers(first.twinUrl)).toBe(false);
    expect(await runningPostgresUrl(home)).toBeUndefined();

    const second = await start();
    expect(second.output()).toMatch(/двойников нет:\n +max -5550000000000000004: /);
    expect(await isStored(messageId)).toBe(true);
    console.log(`npm start: first ${seconds(first.readyMs)} s, second ${seconds(second.readyMs)} s`);

    const { status, output } = await refusedMolva({ home, ...(await freePorts()) });
    expect(status).toBe(1);
    expect(complaint(output)).toMatch(/^Molva already runs on .*MOLVA_HOME.*\.$/);

    const beforeTheCrash = await post(second, "До сбоя");
    await second.kill();
    const third = await start();
    expect(await isStored(beforeTheCrash)).toBe(true);
    await post(third, "После сбоя");
  });

  it.each([
    ["port", "MOLVA_PORT"],
    ["twinPort", "MOLVA_TWIN_PORT"],
  ] as const)("refuses a busy %s with one sentence and leaves nothing running", async (which, setting) => {
    const squatter = createServer().listen(ports[which], "127.0.0.1");
    await once(squatter, "listening");
    try {
      const { status, output } = await refusedMolva({ home, ...ports });
      expect(status).toBe(1);
      expect(complaint(output)).toMatch(new RegExp(`^[^\\n]*${ports[which]}[^\\n]*${setting}[^\\n]*$`));
      expect(await runningPostgresUrl(home)).toBeUndefined();
      if (which === "port") expect(await answers(`http://127.0.0.1:${ports.twinPort}`)).toBe(false);
    } finally {
      squatter.close();
    }
  });

  it("refuses a home that cannot be used with one sentence", async () => {
    mkdirSync(folder, { recursive: true });
    // Root may write anywhere, but not below a file.
    if (process.getuid?.() === 0) writeFileSync(home, "");
    else chmodSync(folder, 0o555);
    const { status, output } = await refusedMolva({ home, ...ports });
    expect(status).toBe(1);
    expect(complaint(output)).toMatch(/^[^\n]*MOLVA_HOME[^\n]*$/);
    if (process.getuid?.() === 0) rmSync(home);
    else chmodSync(folder, 0o755);
  });

  it("refuses a DATABASE_URL that does not answer with one sentence and its own exit code", async () => {
    const env = { DATABASE_URL: `postgres://nobody@127.0.0.1:${ports.port}/nowhere` };
    const { status, output } = await refusedMolva({ home, ...ports, env });
    expect(status).toBe(3);
    expect(complaint(output)).toContain("DATABASE_URL");
  });
});

/** What Molva said after its progress, without npm's own lines; a stack trace would show here. */
function complaint(output: string): string {
  const said = output.split("\n").filter((line) => line.trim() !== "" && !/^(npm |> | {2})/.test(line));
  expect(output).not.toMatch(/^\s+at /m);
  return said.join("\n");
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
