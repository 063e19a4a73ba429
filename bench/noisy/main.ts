import type { Sql } from "../../src/kernel/db/index.ts";
import { measureLatency, type Neighbours } from "../latency/measure.ts";
import { fillQueue } from "../shared/fill-queue.ts";
import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";
import { furnishTwins } from "../shared/twin-chats.ts";

const channels = 40;
/** Posts that each of its channels has under way at once: together more than the dispatcher's places. */
const maxParallel = 4;
const token = `7300000001:${"N".repeat(35)}`;

/** One workspace sends a very long queue as fast as it can; how soon does another one's single post leave? */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      posts: { type: "string" },
      waiting: { type: "string" },
    },
  });
  const say = reporter(values.json);
  const posts = numberOf("posts", values.posts, 200);
  const waiting = numberOf("waiting", values.waiting, 200_000);
  const server = await startServer();
  let left = 0;
  const noisy = neighbour(waiting, say, (count) => {
    left = count;
  });
  try {
    const latency = await measureLatency(server, posts, say, noisy);
    say(`Beside a long queue: p50 ${latency.p50} ms, p99 ${latency.p99} ms; now alone`);
    const quiet = await measureLatency(server, posts, say);
    say(
      `\n${table([
        ["latency, ms", "beside a long queue", "alone"],
        ...Object.entries(latency).map(([name, value]) => [name, value, { ...quiet }[name] ?? ""]),
      ])}`,
    );
    if (values.json) console.log(JSON.stringify({ waiting: left, noisy_ms: latency, quiet_ms: quiet }));
  } finally {
    await server.stop();
  }
}

function neighbour(
  waiting: number,
  say: (text: string) => void,
  filled: (count: number) => void,
): Neighbours {
  return {
    environment: { NOISY_TOKEN: token, MOLVA_WORKSPACE_VARIABLES: "NOISY_TOKEN=*" },
    async prepare(sql, twinsUrl) {
      say(`Filling the neighbour's queue with ${waiting.toLocaleString("en")} deliveries`);
      const chats = Array.from({ length: channels }, (_, index) => -1_003_000_000_001 - index);
      await furnishTwins(twinsUrl, { token, username: "noisy_bot" }, chats);
      const workspaceId = await addWorkspace(sql, chats);
      await fillQueue(sql, workspaceId, Math.ceil(waiting / channels));
      await sql`analyze delivery.deliveries`;
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int from delivery.deliveries where workspace_id = ${workspaceId}`;
      filled(row.count);
    },
  };
}

async function addWorkspace(sql: Sql, chats: readonly number[]): Promise<string> {
  const [{ workspace_id: workspaceId }] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces (name) values ('Шумный сосед') returning workspace_id`;
  await sql`
    insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
    values (${workspaceId}, 'noisy', 'telegram', 'env:NOISY_TOKEN')`;
  for (const chat of chats)
    await sql`
      insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, rate_rps, max_parallel)
      values (${workspaceId}, 'telegram', ${String(chat)}, 'noisy', 'noisy', null, ${maxParallel})`;
  return workspaceId;
}
