import { numberOf, parseArgs, reporter } from "../shared/options.ts";
import { startServer } from "../shared/postgres.ts";
import { table } from "../shared/table.ts";
import { measureLatency } from "./measure.ts";

/** How long a post takes from the answer of the API to the provider, on an idle system. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: "boolean", default: false }, posts: { type: "string" } },
  });
  const say = reporter(values.json);
  const server = await startServer();
  try {
    const latency = await measureLatency(server, numberOf("posts", values.posts, 200), say);
    say(`\n${table([["latency, ms", ""], ...Object.entries(latency)])}`);
    if (values.json) console.log(JSON.stringify({ latency_ms: latency }));
  } finally {
    await server.stop();
  }
}
