import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { correct, enqueuePost } from "../../src/delivery/index.ts";
import { aChannel, aWorkspace } from "../../src/delivery/testing/builders.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import { httpServer } from "../../src/kernel/outbound/test-servers.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { createPlatforms, credentialText, withTwins } from "../../src/platforms/index.ts";
import type { JournalEntry, MessageView } from "../../twins/index.ts";
import { type Preparation, preparationOf } from "../contract/preparation.ts";
import { databaseWithJobs, type TestDatabase } from "../support/database.ts";
import { killed, startDispatcherProcess } from "../support/dispatcher-process.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";
import { startWatchedTwins, type WatchedTwins } from "../support/watched-twins.ts";

/**
 * One dispatcher process carries a post to a site, a wall and a board, and is killed when all three are at the same step: each
 * call waits at the twins' door until the others are there too.
 */
const networks = ["wordpress", "vk", "pinterest"] as const;
type Network = (typeof networks)[number];

const calls: Record<Network, { post: RegExp; edit: RegExp }> = {
  wordpress: { post: /^POST .*\/wp\/v2\/posts$/, edit: /^POST .*\/wp\/v2\/posts\/\d+$/ },
  vk: { post: /\/method\/wall\.post$/, edit: /\/method\/wall\.edit$/ },
  pinterest: { post: /^POST .*\/pins$/, edit: /^PATCH .*\/pins\/\d+$/ },
};
const preparations: Record<Network, Preparation> = {
  wordpress: await preparationOf("wordpress"),
  vk: await preparationOf("vk"),
  pinterest: await preparationOf("pinterest"),
};

interface Step {
  readonly call: "post" | "edit";
  /** Whether the provider has done what was asked, and only its answer is missing. */
  readonly done: boolean;
}

let database: TestDatabase;
let twins: WatchedTwins;
let home: string;
let workspace: string;
let pictures: string;
let killAt: Step | undefined;
let waiting: Map<Network, () => void>;
const processes: ChildProcess[] = [];

beforeEach(async () => {
  killAt = undefined;
  waiting = new Map();
  home = tempFolder("dispatcher");
  database = await databaseWithJobs();
  twins = await startWatchedTwins({
    async onCall(path) {
      // Whoever is dead by now has not asked for anything.
      if (await isKilled(path, false)) throw new Error("the caller is gone");
    },
    onDone: (path) => isKilled(path, true),
  });
  ({ url: pictures } = await httpServer(async ({ url = "" }, response) => {
    const file = join(projectRoot, "console", "public", "demo", basename(url));
    response.setHeader("content-type", "image/jpeg").end(await readFile(file));
  }));
  workspace = await aWorkspace(database.sql);
  for (const network of networks) await furnish(network);
});
afterEach(async () => {
  for (const child of processes.splice(0)) await killed(child);
  await twins.stop();
  await database.drop();
});

/** Holds a call of the step until each network has one, then kills the process that made them. */
async function isKilled(path: string, done: boolean): Promise<boolean> {
  const step = killAt;
  const network = networks.find((each) => step?.done === done && calls[each][step.call].test(path));
  if (!step || !network || waiting.has(network)) return false;
  await new Promise<void>((resolve) => {
    waiting.set(network, resolve);
    if (waiting.size < networks.length) return;
    killAt = undefined;
    void Promise.all(processes.map(killed)).then(() => {
      for (const goOn of waiting.values()) goOn();
    });
  });
  return true;
}

async function furnish(network: Network): Promise<void> {
  const { world = [], options, mayEdit, targetId } = preparations[network];
  for (const { path, body } of world) await twins.control("POST", path.slice(1), body);
  if (options) await twins.control("PATCH", options.path.slice(1), options.body);
  if (mayEdit) await twins.control("POST", mayEdit.path.slice(1), mayEdit.body);
  await database.sql`
    insert into workspaces.credential_bindings (workspace_id, platform, auth_ref, secret_ref)
    values (${workspace}, ${network}, ${network}, ${`env:KEY_OF_${network.toUpperCase()}`})`;
  await aChannel(database.sql, workspace, {
    ...{ platform: network, target_id: targetId, auth_ref: network, rate_group: network },
  });
}

const platforms = () => createPlatforms(withTwins({}, twins.url));

function startDispatcher(): Promise<void> {
  const keys = networks.map((network) => {
    const { credential } = platforms().definitionOf(network);
    return [
      `KEY_OF_${network.toUpperCase()}`,
      credentialText(credential, preparations[network].credential),
    ] as const;
  });
  const environment = {
    ...Object.fromEntries(keys),
    MOLVA_WORKSPACE_VARIABLES: keys.map(([name]) => `${name}=*`).join(),
    MOLVA_HOME: home,
    MOLVA_ALLOW_HOSTS: [pictures, twins.url].map((url) => new URL(url).host).join(),
    DATABASE_URL: database.url,
    WORDPRESS_TWIN_ROOT: `${twins.url}/wordpress`,
    VK_API_ROOT: `${twins.url}/vk`,
    PINTEREST_API_ROOT: `${twins.url}/pinterest`,
  };
  return startDispatcherProcess(environment, (child) => processes.unshift(child));
}

const article = (text: string) => ({
  text,
  article: { title: "Как заварить улун" },
  media: ["lake", "road"].map((name) => ({ type: "photo" as const, url: `${pictures}/${name}.jpg` })),
});

async function post(): Promise<string> {
  const deps = { platforms: platforms(), clock: systemClock };
  const counts = await database.sql.begin((tx) =>
    enqueuePost(tx, workspace, "webhook_push", { payload: article("Воду берут мягкую.") }, deps),
  );
  expect(counts).toMatchObject({ queued: networks.length });
  return counts.message_id;
}

const isGone = () =>
  until("the process is gone", () => processes[0]?.signalCode === "SIGKILL" && killAt === undefined, 60_000);

/** All that was on its way, once it has ended. What waits for its next attempt does not wait here. */
function ended(table: "deliveries" | "corrections"): Promise<Record<string, unknown>[]> {
  const { sql } = database;
  return until(
    `all ${table} have ended`,
    async () => {
      await sql`update delivery.deliveries set next_retry_at = now() where status = 'retry'`;
      await sql`update delivery.corrections set due_at = now() where status = 'retry'`;
      await sql`select pg_notify('molva_deliveries', ${`${workspace}/corrections`})`;
      const rows = await sql`
        select c.platform, t.status, t.attempt from ${sql(`delivery.${table}`)} t
        join delivery.channels c using (workspace_id, channel_id) order by c.platform`;
      return (
        rows.every(({ status }) => ["sent", "done", "failed_permanent", "dead"].includes(status)) && [...rows]
      );
    },
    90_000,
  );
}

const each = (status: string, attempt: number) =>
  [...networks].sort().map((platform) => ({ platform, status, attempt }));

const shown = async (network: Network): Promise<MessageView[]> => {
  const { targetId, shownAt = targetId } = preparations[network];
  return (await twins.control("GET", `chats/${network}/${shownAt}/messages`)).messages;
};

async function countOf(network: Network, method: string | undefined): Promise<number> {
  const { entries } = await twins.control("GET", "journal?limit=1000");
  return entries.filter((entry: JournalEntry) => entry.provider === network && entry.method === method)
    .length;
}

/** Nothing twice and nothing lost: one post, its words, its pictures, each uploaded once where the network keeps it. */
async function expectOnce(text: string, asked: { post: number; edit: number }): Promise<void> {
  for (const network of networks) {
    const { methods } = preparations[network];
    const [only, ...more] = await shown(network);
    expect([network, only?.text, more]).toEqual([network, expect.stringContaining(text), []]);
    expect([network, only?.media.length]).toEqual([network, network === "pinterest" ? 1 : 2]);
    if (methods.upload) expect([network, await countOf(network, methods.upload)]).toEqual([network, 2]);
    expect([network, await countOf(network, methods.text)]).toEqual([network, asked.post]);
    expect([network, await countOf(network, methods.edit)]).toEqual([network, asked.edit]);
    const [delivery] = await database.sql`
      select d.provider_message_id from delivery.deliveries d join delivery.channels c using (workspace_id, channel_id)
      where c.platform = ${network}`;
    expect(delivery).toEqual({ provider_message_id: only?.id });
  }
}

// covers networks: Killed between upload and post; Killed between post and answer; WordPress: each picture once; VK: a post with photos
it.each([
  ["between upload and post", false],
  ["between post and answer", true],
] as const)(
  "killed %s, an article is on the site, the wall and the board once, and each picture was uploaded once",
  async (_, done) => {
    killAt = { call: "post", done };
    await startDispatcher();
    await post();
    await isGone();
    await startDispatcher();
    expect(await ended("deliveries")).toEqual(each("sent", 2));
    await expectOnce("Воду берут мягкую.", { post: 1, edit: 0 });
  },
  120_000,
);

// covers networks: Killed between edit and answer
it("killed between edit and answer, an article reads as it was corrected on the site, the wall and the board", async () => {
  await startDispatcher();
  const message_id = await post();
  expect(await ended("deliveries")).toEqual(each("sent", 1));
  killAt = { call: "edit", done: true };
  const deps = {
    ...{ sql: database.sql, clock: systemClock, platforms: platforms() },
    credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "1:x" } }) as const },
    providers: createProviderClient({ defaultTimeoutMs: 5_000 }),
  };
  const act = { operator: "анна", reason: "ошибка", now: systemClock.now() };
  await correct(deps, workspace, { message_id }, article("Воду берут горячую."), act);
  await isGone();
  await startDispatcher();
  expect(await ended("corrections")).toEqual(each("done", 2));
  await expectOnce("Воду берут горячую.", { post: 1, edit: 2 });
});
