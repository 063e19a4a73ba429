import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { compileForProfiles, type Profile } from "../../src/delivery/ingest/compile-for-profiles.ts";
import { createPlatforms } from "../../src/platforms/index.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { startTwinsProcess } from "../shared/child.ts";
import { growth, type MemoryPoint, rounded } from "../shared/figures.ts";
import { type Harness, prepareHarness } from "../shared/molva.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { postText } from "../shared/posts.ts";
import { table } from "../shared/table.ts";
import { type Messenger, messengers, prepareChats, uploadsSeen } from "./messengers.ts";
import { type Origin, startOrigin } from "./origin.ts";
import type { SenderSettings } from "./sender-process.ts";

const photosPerAlbum = 4;

interface AlbumsPoint extends MemoryPoint {
  /** What was in use after everything unused was thrown away. */
  readonly live: number;
}

interface Figures {
  readonly platform: Messenger;
  readonly albums: number;
  readonly channels: number;
  readonly sent: number;
  readonly photos: number;
  readonly fetched: number;
  readonly uploaded: number;
  readonly seconds: number;
  /** Memory of the sending process each time another twentieth was sent. */
  readonly memory: readonly AlbumsPoint[];
}

/** Different albums to every channel of one group: each photo fetched once and uploaded once, and the memory stays flat. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      albums: { type: "string" },
      channels: { type: "string" },
      side: { type: "string" },
      platform: { type: "string", multiple: true },
    },
  });
  const say = reporter(values.json);
  const names = z.array(z.enum(["telegram", "max"])).parse(values.platform ?? ["telegram", "max"]);
  const albums = numberOf("albums", values.albums, 1_000);
  const channels = numberOf("channels", values.channels, 3);
  const server = await startServer();
  const origin = await startOrigin(numberOf("side", values.side, 320));
  try {
    const all: Figures[] = [];
    for (const platform of names) {
      const url = await server.database();
      all.push(await measure({ platform, albums, channels }, url, origin, say));
      await server.drop(url);
    }
    say(`\n${table(rowsOf(all))}`);
    if (values.json) console.log(JSON.stringify({ albums: all }));
  } finally {
    await origin.close();
    await server.stop();
  }
}

function rowsOf(all: readonly Figures[]): (string | number)[][] {
  const row = (name: string, of: (figures: Figures) => string | number) => [name, ...all.map(of)];
  return [
    row("", ({ platform }) => platform),
    row("albums sent", ({ sent }) => sent),
    row("different photos", ({ photos }) => photos),
    row("fetched from the site", ({ fetched }) => fetched),
    row("uploaded to the messenger", ({ uploaded }) => uploaded),
    row("seconds", ({ seconds }) => seconds),
    row("memory of the process, first half, MB", ({ memory }) => rangeOf(firstHalf(memory), "megabytes")),
    row("memory of the process, second half, MB", ({ memory }) => rangeOf(secondHalf(memory), "megabytes")),
    row("memory in use, first half, MB", ({ memory }) => rangeOf(firstHalf(memory), "live")),
    row("memory in use, second half, MB", ({ memory }) => rangeOf(secondHalf(memory), "live")),
    row("growth of it, MB per 1,000 albums", ({ memory }) => rounded(liveGrowth(memory) * 1_000)),
  ];
}

const firstHalf = (points: readonly AlbumsPoint[]) => points.slice(0, points.length / 2);
const secondHalf = (points: readonly AlbumsPoint[]) => points.slice(points.length / 2);

function liveGrowth(points: readonly AlbumsPoint[]): number {
  return growth(points.map(({ sent, live }) => ({ sent, megabytes: live })));
}

function rangeOf(points: readonly AlbumsPoint[], of: "megabytes" | "live"): string {
  const values = points.map((point) => Math.round(point[of]));
  return `${Math.min(...values)}–${Math.max(...values)}`;
}

async function measure(
  { platform, albums, channels }: Pick<Figures, "platform" | "albums" | "channels">,
  databaseUrl: string,
  origin: Origin,
  say: (text: string) => void,
): Promise<Figures> {
  const folder = tempFolder("bench-albums");
  const twins = await startTwinsProcess({ rateLimits: false, chatBurst: 1 });
  const harness = await prepareHarness(databaseUrl, channels, 4);
  const photos = albums * photosPerAlbum;
  let sender: ChildProcess | undefined;
  try {
    say(`${platform}: ${albums} albums of ${photosPerAlbum} to ${channels} channels`);
    const chats = Array.from({ length: channels }, (_, place) => -1_001_000_000_000 - place);
    await prepareChats(twins.url, platform, chats);
    await pointChannels(harness, platform, chats);
    await enqueueAlbums(harness, albums, `${origin.url}/${platform}`);

    const before = countOf(origin, platform);
    const settings: SenderSettings = {
      databaseUrl,
      twinsUrl: twins.url,
      originHost: new URL(origin.url).host,
      token: messengers[platform].token,
      folder,
      concurrency: 64,
    };
    const began = performance.now();
    sender = fork(
      fileURLToPath(new URL("./sender-process.js", import.meta.url)),
      [JSON.stringify(settings)],
      {
        execArgv: ["--expose-gc"],
      },
    );
    await once(sender, "message");
    const points = await watch(harness, sender, albums * channels, say);
    const seconds = rounded((performance.now() - began) / 1_000, 1);
    const [{ sent }] = await harness.sql<[{ sent: number }]>`
      select count(*)::int as sent from delivery.deliveries where status = 'sent'`;
    return {
      platform,
      albums,
      channels,
      sent,
      photos,
      fetched: countOf(origin, platform) - before,
      uploaded: await uploadsSeen(twins.url, platform),
      seconds,
      memory: points,
    };
  } finally {
    if (sender) await ended(sender);
    await harness.close();
    await twins.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function pointChannels(
  { sql, workspaceId }: Harness,
  platform: Messenger,
  chats: readonly number[],
): Promise<void> {
  await sql`
    update delivery.channels c set platform = ${platform}, target_id = t.id
    from (select channel_id, row_number() over () as place from delivery.channels where workspace_id = ${workspaceId}) p
    join unnest(${chats.map(String)}::text[]) with ordinality as t (id, place) using (place)
    where c.workspace_id = ${workspaceId} and c.channel_id = p.channel_id`;
  await sql`update workspaces.credential_bindings set platform = ${platform} where workspace_id = ${workspaceId}`;
}

/** Through the same two calls that the HTTP door makes, so that what is sent is what an author's post becomes. */
async function enqueueAlbums({ sql, workspaceId }: Harness, albums: number, site: string): Promise<void> {
  const platforms = createPlatforms({ telegramApiRoot: "http://127.0.0.1", maxApiRoot: "http://127.0.0.1" });
  for (let album = 0; album < albums; album++) {
    const media = Array.from({ length: photosPerAlbum }, (_, place) => {
      return { type: "photo", url: `${site}/${album * photosPerAlbum + place}.jpg` };
    });
    const raw = sql.json({ payload: { text: postText(album), media } });
    const [{ payload, profiles }] = await sql<[{ payload: unknown; profiles: Profile[] }]>`
      select payload, profiles from delivery.prepare_post(${workspaceId}, ${raw})`;
    const compiled = JSON.stringify(compileForProfiles(payload, profiles, platforms));
    await sql`
      select delivery.enqueue_messages_and_deliveries(
        ${workspaceId}, null, 'webhook_push', ${raw}, ${new Date()}, ${compiled}::text::jsonb)`;
  }
}

const memory = z.object({ megabytes: z.number(), live: z.number() });

const memoryPoints = 20;

/** The sender's memory whenever another twentieth has been sent. */
async function watch(
  { sql }: Harness,
  sender: ChildProcess,
  deliveries: number,
  say: (text: string) => void,
): Promise<AlbumsPoint[]> {
  const points: AlbumsPoint[] = [];
  for (;;) {
    const [{ ended: done, failed }] = await sql<[{ ended: number; failed: number }]>`
      select count(*) filter (where status in ('sent', 'failed_permanent', 'dead'))::int as ended,
        count(*) filter (where status in ('failed_permanent', 'dead'))::int as failed
      from delivery.deliveries`;
    if (done * memoryPoints >= deliveries * (points.length + 1)) {
      const answer = once(sender, "message");
      sender.send("memory");
      const { megabytes, live } = memory.parse((await answer)[0]);
      points.push({ sent: done, megabytes: rounded(megabytes, 1), live: rounded(live, 1) });
      say(
        `  ${done} of ${deliveries} ended, ${failed} failed, ${Math.round(megabytes)} MB, ${Math.round(live)} in use`,
      );
    }
    if (points.length === memoryPoints) return points;
    await delay(200);
  }
}

function countOf({ asked }: Origin, platform: Messenger): number {
  return [...asked].reduce((sum, [path, times]) => sum + (path.startsWith(`/${platform}/`) ? times : 0), 0);
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.disconnect();
  await exit;
}
