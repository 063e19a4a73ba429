import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { rounded } from "../shared/figures.ts";
import { prepareStand, type Stand } from "../shared/molva.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { postText } from "../shared/posts.ts";
import { table } from "../shared/table.ts";

const channels = 40;

const point = z.object({ sent: z.number(), megabytes: z.number() });
type Point = z.infer<typeof point>;

/** How the memory of a dispatcher grows while it sends a long queue: it should not. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: "boolean", default: false }, deliveries: { type: "string" } },
  });
  const say = reporter(values.json);
  const deliveries = numberOf("deliveries", values.deliveries, 500_000);
  const server = await startServer();
  try {
    const url = await server.database();
    const stand = await prepareStand(url, channels);
    say(`Filling the queue with ${deliveries.toLocaleString("en")} deliveries`);
    await fill(stand, Math.ceil(deliveries / channels));
    await stand.close();
    const points = await watch(url, deliveries, say);
    const slope = slopeOf(points);
    say(
      `\n${table([["sent", "MB"], ...points.map(({ sent, megabytes }) => [`${sent}`, rounded(megabytes, 1)])])}`,
    );
    say(`\nGrowth from the second point on: ${slope} MB per 100,000 deliveries`);
    if (values.json) console.log(JSON.stringify({ memory: points, slope_mb_per_100k: slope }));
  } finally {
    await server.stop();
  }
}

async function watch(url: string, deliveries: number, say: (text: string) => void): Promise<Point[]> {
  const child = fork(fileURLToPath(new URL("./dispatcher-process.js", import.meta.url)), [
    JSON.stringify({ url, deliveries }),
  ]);
  const points: Point[] = [];
  while (points.length < 10) {
    const [message] = await once(child, "message");
    const seen = point.parse(message);
    points.push(seen);
    say(`  ${seen.sent.toLocaleString("en")} sent, ${Math.round(seen.megabytes)} MB`);
  }
  const ended = once(child, "exit");
  child.disconnect();
  await ended;
  return points;
}

/** Straight into the tables: how they came there is not what is measured. */
async function fill({ sql, workspaceId }: Stand, posts: number): Promise<void> {
  await sql`
    insert into delivery.messages (workspace_id, content_hash, payload)
    select ${workspaceId}, md5(n::text), jsonb_build_object('type', 'text', 'text', n || ${postText(0)}::text)
    from generate_series(1, ${posts}::int) n`;
  await sql`
    insert into delivery.deliveries (workspace_id, message_id, channel_id, hash_version, content_hash, status, rendered_text, render_meta)
    select ${workspaceId}, m.message_id, c.channel_id, 1, m.content_hash, 'queued', m.payload ->> 'text',
      jsonb_build_object('compiled', jsonb_build_object(
        'platform', 'telegram', 'plainText', m.payload ->> 'text', 'losses', '[]'::jsonb,
        'requests', jsonb_build_array(jsonb_build_object(
          'method', 'sendMessage', 'text', m.payload ->> 'text', 'media', '[]'::jsonb,
          'body', jsonb_build_object('text', m.payload ->> 'text')))))
    from delivery.messages m cross join delivery.channels c
    where m.workspace_id = ${workspaceId} and c.workspace_id = ${workspaceId}`;
}

/** Megabytes per 100,000 deliveries by least squares; the first point still belongs to warming up. */
function slopeOf(points: readonly Point[]): number {
  const later = points.slice(1);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(later.map(({ sent }) => sent));
  const y = mean(later.map(({ megabytes }) => megabytes));
  const rise = later.reduce((sum, { sent, megabytes }) => sum + (sent - x) * (megabytes - y), 0);
  const run = later.reduce((sum, { sent }) => sum + (sent - x) ** 2, 0);
  return rounded((rise / run) * 100_000);
}
