import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createCore } from "../../src/configured/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { connect, migrate, readMigrationSources } from "../../src/kernel/db/index.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { configFrom } from "../../src/modules.ts";
import { orderArticle } from "../../src/seo/articles/order-article.ts";
import { workshopOf } from "../../src/seo/parts.ts";
import { aCategory, aCluster, aProject, aSeoUser } from "../../src/seo/testing/builders.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { startChild, startTwinsProcess } from "../shared/child.ts";
import { rounded } from "../shared/figures.ts";
import { measure, spread } from "../shared/measurement.ts";
import type { Server } from "../shared/postgres.ts";
import { invitePeople, type People, tapping } from "./people.ts";
import type { BotSettings } from "./worker-process.ts";

const bots = {
  seo: { token: `7100000001:${"S".repeat(35)}`, username: "bench_seo_bot" },
  bare: { token: `7100000002:${"B".repeat(35)}`, username: "bench_bare_bot" },
} as const;

/** How soon SEO Master's bot answers a tap without a model, how much it holds, and how soon it is back after a kill. */
export function main(args: string[]): Promise<void> {
  const numbers = { people: 500, seconds: 20, pause: 5_000, articles: 10, dialogues: 1_000 };
  return measure(args, numbers, async ({ server, say, numbers: given }) => {
    const { people, seconds, pause, articles, dialogues } = given;
    const load = { seconds, pauseMs: pause };
    const bench = await open(server, people, dialogues);
    try {
      const chats = bench.chats.slice(0, people);
      say("an empty grammY bot …");
      const bare = await bench.bare(async (talk) => {
        await inGroups(chats, (chat) => talk.say(chat, "/start"));
        await tapping(talk, chats, { ...load, seconds: 5 });
        return tapping(talk, chats, load);
      });
      const atFirst = await bench.megabytes();
      say("the bot …");
      await inGroups(chats, (chat) => bench.people.say(chat, "/start"));
      await tapping(bench.people, chats, { ...load, seconds: 8 });
      const calm = await tapping(bench.people, chats, load);
      say(`the bot while ${articles} articles are made …`);
      await bench.write(articles);
      const busy = await tapping(bench.people, chats, load);
      const written = await bench.written();
      say(`${dialogues} people in the middle of a flow …`);
      await inGroups(bench.chats, async (chat) => {
        if (!chats.includes(chat)) await bench.people.say(chat, "/start");
        await bench.people.tap(chat, "project:new");
        await bench.people.say(chat, "Чайная");
      });
      const memory = await bench.megabytes();
      say("a kill, and a new process …");
      const back = await bench.killAndRestart(bench.chats.slice(0, 20));
      const taps = `a tap, ms, ${people} people, one tap in ${pause / 1_000} s each`;
      return [
        { name: "empty", title: `${taps}: an empty grammY bot`, figures: spread(bare) },
        { name: "bot", title: `${taps}: SEO Master`, figures: spread(calm) },
        {
          name: "writing",
          title: `the same while ${articles} articles are made`,
          figures: { ...spread(busy), articles_written: written },
        },
        {
          name: "memory",
          title: `${dialogues} people in the middle of a flow`,
          figures: { megabytes: memory, at_first: atFirst },
        },
        { name: "kill", title: "after a kill, ms from the start of the next process", figures: back },
      ];
    } finally {
      await bench.stop();
    }
  });
}

/** Not everybody at once: setting up is not what is measured. */
async function inGroups(chats: readonly number[], each: (chat: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < chats.length; from += 50)
    await Promise.all(chats.slice(from, from + 50).map(each));
}

async function open(server: Server, people: number, dialogues: number) {
  const databaseUrl = await server.database();
  const sql = connect({ url: databaseUrl, max: 4 });
  await migrate(sql, await readMigrationSources());
  await sql`select workspaces.ensure_event_partitions()`;
  const [{ workspace_id: workspaceId }] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces (name) values ('SEO') returning workspace_id`;
  const twins = await startTwinsProcess({ rateLimits: false, chatBurst: 100 });
  // Models and sites are other machines than Telegram's: pictures that their twin draws must not delay Telegram's answers.
  const providers = await startTwinsProcess({ rateLimits: false, chatBurst: 100 });
  const chats = Array.from({ length: Math.max(people, dialogues) }, (_, index) => 500_001 + index);
  const environment = {
    ...{ MOLVA_HOME: tempFolder("bench-seobot"), MOLVA_PORT: "0", DATABASE_URL: databaseUrl },
    TELEGRAM_BOT_TOKEN: bots.seo.token,
  };
  const talk = await invitePeople(twins.url, bots.seo, chats);
  const worker = await startWorker({ databaseUrl, twinsUrl: providers.url, environment, roles: ["jobs"] });
  const serve = () => startServing({ ...environment, TELEGRAM_API_ROOT: `${twins.url}/telegram` });
  let bot = await serve();

  return {
    chats,
    people: talk,
    async bare<Result>(work: (people: People) => Promise<Result>): Promise<Result> {
      const guests = await invitePeople(
        twins.url,
        bots.bare,
        chats.slice(0, people).map((id) => id + 1_000_000),
      );
      const child = await startChild(new URL("./bare-process.js", import.meta.url), {
        ...{ twinsUrl: twins.url, token: bots.bare.token },
      });
      const shifted: People = {
        ...guests,
        say: (chat, text) => guests.say(chat + 1_000_000, text),
        tap: (chat, data) => guests.tap(chat + 1_000_000, data),
      };
      try {
        return await work(shifted);
      } finally {
        await guests.close();
        await child.stop();
      }
    },
    async write(articles: number): Promise<void> {
      const core = await createCore({
        ...{ config: configFrom(environment), environment, twinsUrl: providers.url, sql, databaseUrl },
        ...{ clock: systemClock, log: createLog({ level: "warn" }) },
      });
      const { runs, kinds, sources } = workshopOf(core);
      for (let each = 0; each < articles; each += 1) {
        const whose = await aSeoUser(sql, workspaceId);
        const projectId = await aProject(sql, whose, "Своё дело");
        const keywords = [aCluster(`чай улун в Перми ${each}`, 900)];
        const categoryId = await aCategory(sql, whose, { projectId, keywords });
        const deps = { sql, clock: systemClock, runs, sources, admins: [] };
        await orderArticle(deps, kinds.article, whose, categoryId, { requestKey: `bench-${each}` });
      }
    },
    async written(): Promise<number> {
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int as count from seo.runs where status = 'review'`;
      return row.count;
    },
    async megabytes() {
      const status = await readFile(`/proc/${bot.pid}/status`, "utf8");
      return rounded(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024, 0);
    },
    async killAndRestart(some: readonly number[]) {
      // Everybody taps while the process dies.
      const taps = some.map((chat) => talk.tap(chat, "dashboard"));
      await delay(20);
      const ended = once(bot, "exit");
      // A profile is written at the end of a process, which a kill would not let it have.
      bot.kill(process.env.MOLVA_PROFILE ? "SIGTERM" : "SIGKILL");
      await ended;
      const began = performance.now();
      bot = await serve();
      const started = performance.now() - began;
      await Promise.all(taps);
      return { started: rounded(started, 0), all_answered: rounded(performance.now() - began, 0) };
    },
    async stop() {
      await talk.close();
      const ended = Promise.all([once(bot, "exit"), once(worker, "exit")]);
      bot.kill("SIGTERM");
      worker.disconnect();
      await ended;
      await twins.stop();
      await providers.stop();
      await sql.end();
      await server.drop(databaseUrl);
    },
  };
}

/** The bot as it is run: `molva serve`, as it was built. */
async function startServing(environment: Readonly<Record<string, string>>): Promise<ChildProcess> {
  // MOLVA_PROFILE names a folder for profiles of the bot's processor time.
  const folder = process.env.MOLVA_PROFILE;
  const command = fileURLToPath(new URL("../../../../bin/molva.js", import.meta.url));
  const child = spawn(
    process.execPath,
    [
      ...(folder ? ["--cpu-prof", `--cpu-prof-dir=${folder}`] : []),
      ...[command, "serve", "--role", "api", "bots"],
    ],
    {
      env: { ...process.env, ...environment, MOLVA_ENV: "development" },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (line.includes("molva is ready")) resolve();
      else if (!line.includes('"level":"info"')) console.error(line);
    });
  });
  await Promise.race([ready, failing(child)]);
  return child;
}

async function startWorker(settings: BotSettings): Promise<ChildProcess> {
  const module = fileURLToPath(new URL("./worker-process.js", import.meta.url));
  const child = fork(module, [JSON.stringify(settings)]);
  await Promise.race([once(child, "message"), failing(child)]);
  return child;
}

async function failing(child: ChildProcess): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`a process of the bot ended with code ${code}`);
}
