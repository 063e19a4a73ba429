import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { enqueuePost } from "../../src/delivery/ingest/enqueue-post.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
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
  /** Memory in use after garbage collection. */
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

/**
 * Different albums to every channel of one group, and articles with as many pictures to a site: each photo fetched once and
 * uploaded once, and the memory stays flat.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      albums: { type: "string" },
      articles: { type: "string" },
      channels: { type: "string" },
      side: { type: "string" },
      platform: { type: "string", multiple: true },
    },
  });
  const say = reporter(values.json);
  const names = z.array(z.enum(platforms)).parse(values.platform ?? platforms);
  const albums = numberOf("albums", values.albums, 1_000);
  const articles = numberOf("articles", values.articles, 500);
  const channels = numberOf("channels", values.channels, 3);
  const server = await startServer();
  const origin = await startOrigin(numberOf("side", values.side, 320));
  try {
    const all: Figures[] = [];
    for (const platform of names) {
      const url = await server.database();
      const load = platform === "wordpress" ? { albums: articles, channels: 1 } : { albums, channels };
      all.push(await measure({ platform, ...load }, url, origin, say));
      await server.drop(url);
    }
    say(`\n${table(rowsOf(all))}`);
    if (values.json) console.log(JSON.stringify({ albums: all }));
    const errors = all.flatMap(errorsIn);
    for (const error of errors) console.error(error);
    if (errors.length > 0) process.exitCode = 1;
  } finally {
    await origin.close();
    await server.stop();
  }
}

const platforms = ["telegram", "max", "wordpress"] as const;

/** How much more memory the process may have at the end than after a fifth of the articles. */
const mostGrowth = 1.1;

/** What must hold of articles: nothing is uploaded twice or missing, and the memory stays flat. */
function errorsIn({ platform, albums, sent, photos, uploaded, memory }: Figures): string[] {
  if (platform !== "wordpress") return [];
  return [
    ...(sent === albums ? [] : [`${platform}: ${sent} of ${albums} articles were sent`]),
    ...(uploaded === photos ? [] : [`${platform}: ${photos} pictures were uploaded ${uploaded} times`]),
    ...(growthOf(memory) <= mostGrowth
      ? []
      : [`${platform}: the memory grew ${growthOf(memory)} times after a fifth, at most ${mostGrowth}`]),
  ];
}

/** The resident memory at the end, as a multiple of that after a fifth. */
function growthOf(points: readonly AlbumsPoint[]): number {
  const early = points[Math.floor(points.length / 5) - 1];
  const last = points.at(-1);
  return early && last ? rounded(last.megabytes / early.megabytes, 2) : Number.NaN;
}

function rowsOf(all: readonly Figures[]): (string | number)[][] {
  const row = (name: string, of: (figures: Figures) => string | number) => [name, ...all.map(of)];
  return [
    row("", ({ platform }) => platform),
    row("albums or articles sent", ({ sent }) => sent),
    row("different photos", ({ photos }) => photos),
    row("fetched from the site", ({ fetched }) => fetched),
    row("uploaded to the platform", ({ uploaded }) => uploaded),
    row("seconds", ({ seconds }) => seconds),
    row("memory of the process, first half, MB", ({ memory }) => rangeOf(firstHalf(memory), "megabytes")),
    row("memory of the process, second half, MB", ({ memory }) => rangeOf(secondHalf(memory), "megabytes")),
    row("memory in use, first half, MB", ({ memory }) => rangeOf(firstHalf(memory), "live")),
    row("memory in use, second half, MB", ({ memory }) => rangeOf(secondHalf(memory), "live")),
    row("memory of the process at the end, times that after a fifth", ({ memory }) => growthOf(memory)),
    row("growth of memory in use, MB per 1,000 albums", ({ memory }) => rounded(liveGrowth(memory) * 1_000)),
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
    const what = platform === "wordpress" ? "articles" : "albums";
    say(
      `${platform}: ${albums} ${what} of ${photosPerAlbum} to ${channels} channel${channels === 1 ? "" : "s"}`,
    );
    const chats = Array.from({ length: channels }, (_, place) => messengers[platform].target(place));
    await prepareChats(twins.url, platform, chats);
    await pointChannels(harness, platform, chats);
    await enqueueAlbums(harness, albums, {
      site: `${origin.url}/${platform}`,
      isPage: platform === "wordpress",
    });

    const before = countOf(origin, platform);
    const settings: SenderSettings = {
      databaseUrl,
      twinsUrl: twins.url,
      originHost: new URL(origin.url).host,
      credential: messengers[platform].credential,
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
  chats: readonly string[],
): Promise<void> {
  await sql`
    update delivery.channels c set platform = ${platform}, target_id = t.id
    from (select channel_id, row_number() over () as place from delivery.channels where workspace_id = ${workspaceId}) p
    join unnest(${[...chats]}::text[]) with ordinality as t (id, place) using (place)
    where c.workspace_id = ${workspaceId} and c.channel_id = p.channel_id`;
  await sql`update workspaces.credential_bindings set platform = ${platform} where workspace_id = ${workspaceId}`;
}

/** As modules enqueue, so that what is sent is what an author's post becomes. */
async function enqueueAlbums(
  { sql, workspaceId }: Harness,
  albums: number,
  { site, isPage }: { readonly site: string; readonly isPage: boolean },
): Promise<void> {
  const known = createPlatforms({});
  for (let album = 0; album < albums; album++) {
    const media = Array.from({ length: photosPerAlbum }, (_, place) => {
      return {
        type: "photo" as const,
        url: `${site}/${album * photosPerAlbum + place}.jpg`,
        alt: `Photo ${place}`,
      };
    });
    const payload = isPage ? articleOf(album, media) : { text: postText(album), media };
    await sql.begin((tx) =>
      enqueuePost(tx, workspaceId, "webhook_push", { payload }, { platforms: known, clock: systemClock }),
    );
  }
}

/** About as long as the articles that people read to the end: the text twenty times, a picture in every part. */
function articleOf(number: number, media: readonly { readonly type: "photo"; readonly url: string }[]) {
  const parts = media.map(
    (_, place) => `## Part ${place + 1}\n\n![](media:${place})\n\n${postText(number)}\n\n`,
  );
  return {
    parse_mode: "Markdown" as const,
    text: `${parts.join("")}${`${postText(number)}\n\n`.repeat(16)}`,
    media: [...media],
    article: {
      title: `Article ${number} of the measurement`,
      categories: ["Bench"],
      tags: [`tag ${number % 10}`],
    },
  };
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
