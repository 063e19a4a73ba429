/** Holds an embedded PostgreSQL: `home [settings as JSON]`. Says what happened as one line of JSON; SIGTERM stops it. */
import { EmbeddedPostgresError, startEmbeddedPostgres } from "../../src/kernel/postgres/index.ts";

const [, , home = "", settings = "{}"] = process.argv;

try {
  const began = performance.now();
  const server = await startEmbeddedPostgres({ home, settings: JSON.parse(settings) });
  const { url, dataFolder, note, fresh } = server;
  say({ kind: "started", url, dataFolder, note, fresh, milliseconds: performance.now() - began });
  process.once("SIGTERM", async () => {
    await server.stop();
    process.exit(0);
  });
  setInterval(() => undefined, 60_000);
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  say({ kind: "refused", code: error.code, message: error.message });
  process.exit(1);
}

function say(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
