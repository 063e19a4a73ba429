import { startServer } from "../shared/postgres.ts";
import { deliveriesOf } from "./contestants/contestant.ts";
import { graphileBatched, graphileDefault } from "./contestants/graphile-worker.ts";
import { molva } from "./contestants/molva.ts";
import { pgBossBatched } from "./contestants/pg-boss.ts";

export async function main(args: string[]): Promise<void> {
  const server = await startServer();
  const posts = Number(args[1] ?? 250);
  const load = { posts, channels: 40 };
  const all = [molva, pgBossBatched, graphileDefault, graphileBatched].filter(
    (c) => !args[0] || args[0] === "all" || c.name === args[0],
  );
  for (const contestant of all) {
    const s = await contestant.drain(server, load);
    console.log(contestant.name, contestant.settings, s.toFixed(2), Math.round(deliveriesOf(load) / s));
  }
  await server.stop();
}
