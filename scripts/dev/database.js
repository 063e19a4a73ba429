import { resolve } from "node:path";
import { root } from "../setup/root.js";

/** The configured server, or the embedded one, which keeps running while Molva is restarted. */
export async function openDatabase(lost) {
  const { DATABASE_URL, DATABASE_URL_FILE, MOLVA_HOME = ".molva" } = process.env;
  if (DATABASE_URL || DATABASE_URL_FILE) return { close: async () => {} };
  const { startEmbeddedPostgres } = await import("../../dist/src/kernel/postgres/index.js");
  const server = await startEmbeddedPostgres({ home: resolve(root, MOLVA_HOME), onLost: lost });
  return { url: server.url, close: () => server.stop() };
}
