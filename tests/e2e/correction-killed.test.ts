import type { ChildProcess } from "node:child_process";
import { it, type TestContext } from "vitest";
import { correct, withdraw } from "../../src/delivery/index.ts";
import { aChannel, aWorkspace, enqueue } from "../../src/delivery/testing/builders.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createPlatforms } from "../../src/platforms/index.ts";
import { testDatabase } from "../support/database.ts";
import { killed, startDispatcherProcess } from "../support/dispatcher-process.ts";
import { until } from "../support/until.ts";
import { botTokens, startWatchedTwins } from "../support/watched-twins.ts";

/** A dispatcher in a separate process, killed after a messenger executed its request and before it got the answer. */
const chat = { telegram: -1_002_000_009_001, max: -70_009_001 } as const;
const calls = {
  telegram: { edit: /editMessageText$/, remove: /deleteMessage$/ },
  max: { edit: /^PUT .*\/messages$/, remove: /^DELETE .*\/messages$/ },
} as const;

/** A world of its own for each test, so that they wait for their leases at the same time. */
async function aWorld(platform: "telegram" | "max", onTestFinished: TestContext["onTestFinished"]) {
  const done: string[] = [];
  const processes: ChildProcess[] = [];
  let killAt: RegExp | undefined;
  const database = await testDatabase();
  const { sql } = database;
  const twins = await startWatchedTwins({
    async onDone(path) {
      done.push(path);
      if (!killAt?.test(path)) return;
      killAt = undefined;
      const [child] = processes;
      if (!child) throw new Error("there is nobody to kill");
      await killed(child);
    },
  });
  onTestFinished(async () => {
    for (const child of processes.splice(0)) child.kill("SIGKILL");
    await twins.stop();
    await database.drop();
  });

  const startDispatcher = () =>
    startDispatcherProcess(
      {
        DATABASE_URL: database.url,
        TELEGRAM_API_ROOT: `${twins.url}/telegram`,
        MAX_API_ROOT: `${twins.url}/max`,
        TELEGRAM_BOT_TOKEN: botTokens.telegram,
        MAX_BOT_TOKEN: botTokens.max,
        MOLVA_WORKSPACE_VARIABLES: "TELEGRAM_BOT_TOKEN=*,MAX_BOT_TOKEN=*",
        MOLVA_SEND_TIMEOUT_SECONDS: "2",
      },
      (child) => processes.unshift(child),
    );

  /** How a correction is requested here: as an operator does, without a request to a provider. */
  const deps = {
    sql,
    clock: systemClock,
    platforms: createPlatforms({
      TELEGRAM_API_ROOT: `${twins.url}/telegram`,
      MAX_API_ROOT: `${twins.url}/max`,
    }),
    credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "1:x" } }) as const },
    providers: { request: () => Promise.reject(new Error("nobody is asked")) },
  };

  const workspace = await aWorkspace(sql);
  await sql`
    insert into workspaces.credential_bindings (workspace_id, platform, auth_ref, secret_ref)
    values (${workspace}, ${platform}, ${platform}, ${`env:${platform.toUpperCase()}_BOT_TOKEN`})`;
  await twins.aChat(platform, chat[platform]);
  await aChannel(sql, workspace, {
    ...{ platform, target_id: String(chat[platform]), auth_ref: platform, rate_group: platform },
  });
  await startDispatcher();
  const { message_id } = await enqueue(sql, workspace, "Было");
  await until("it is sent", async () => {
    const [row] = await sql`select status from delivery.deliveries where message_id = ${message_id}`;
    return row?.status === "sent";
  });

  return {
    ...{ sql, twins, deps, workspace, message_id, done },
    /** Does the work, and kills the process after the messenger has executed the request. */
    async killedAt(request: RegExp, work: () => Promise<unknown>) {
      killAt = request;
      await work();
      await until(
        "the process is gone",
        () => killAt === undefined && processes[0]?.signalCode === "SIGKILL",
      );
      await startDispatcher();
    },
    ended: () =>
      until(
        "the correction has ended",
        async () => {
          const [row] = await sql`
            select status, attempt from delivery.corrections where message_id = ${message_id} and ended_at is not null`;
          return row;
        },
        90_000,
      ),
  };
}

const act = () => ({ operator: "анна", reason: "ошибка", now: systemClock.now() });

// covers corrections: Killed between edit and answer
it.concurrent.for(["telegram", "max"] as const)(
  "killed between an edit on %s and its answer, nothing is lost and nothing is there twice",
  { timeout: 240_000 },
  async (platform, { expect, onTestFinished }) => {
    const world = await aWorld(platform, onTestFinished);
    const { sql, twins, deps, workspace, message_id, done } = world;
    await world.killedAt(calls[platform].edit, () =>
      correct(deps, workspace, { message_id }, { text: "Стало" }, act()),
    );
    expect(await world.ended()).toEqual({ status: "done", attempt: 2 });
    expect(await twins.shown(platform, chat[platform])).toEqual([{ text: "Стало", edited: true }]);
    expect(twins.arrivals).toHaveLength(1);
    expect(done.filter((path) => calls[platform].edit.test(path))).toHaveLength(2);
    const actions = await sql`
      select action from workspaces.events where message_id = ${message_id} and action like 'correct%' order by ts, id`;
    expect(actions.map(({ action }) => action)).toEqual([
      ...[
        "correction_queued",
        "correction_attempt",
        "correction_lease_expired",
        "correction_unknown",
        "correction_retry",
      ],
      ...["correction_attempt", "corrected"],
    ]);
  },
);

// covers corrections: Killed between edit and answer
it.concurrent.for(["telegram", "max"] as const)(
  "killed between a removal on %s and its answer, the post is gone and known to be",
  { timeout: 240_000 },
  async (platform, { expect, onTestFinished }) => {
    const world = await aWorld(platform, onTestFinished);
    const { sql, twins, deps, workspace, message_id } = world;
    await world.killedAt(calls[platform].remove, () => withdraw(deps, workspace, { message_id }, act()));
    expect(await world.ended()).toEqual({ status: "done", attempt: 2 });
    expect(await twins.shown(platform, chat[platform])).toEqual([]);
    const [row] =
      await sql`select status, withdrawn_at from delivery.deliveries where message_id = ${message_id}`;
    expect(row).toMatchObject({ status: "sent", withdrawn_at: expect.any(Date) });
  },
);
