import { watch } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { root } from "../setup/root.js";

/** One save may write several files, and an editor writes each more than once. */
const settleMs = 100;

/**
 * Bundles the server and the twins at the start and after each change of their sources, and reports each bundle and each
 * change in `db/`. After a failed bundle, the running system stays. Types are not checked: editors and `npm run check` do that.
 */
export async function watchServer({ changed, say }) {
  const bundles = await build({
    configFile: join(root, "scripts/setup/vite.config.js"),
    build: { outDir: "dist/dev", watch: { buildDelay: settleMs }, reportCompressedSize: false },
    logLevel: "error",
  });
  bundles.on("event", async (event) => {
    if (event.code === "ERROR") say(`not restarted: ${event.error.message}`);
    if (event.code === "BUNDLE_END") changed();
    if ("result" in event) await event.result?.close();
  });
  let timer;
  const db = watch(join(root, "db"), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(changed, settleMs);
  });
  return {
    async close() {
      clearTimeout(timer);
      db.close();
      await bundles.close();
    },
  };
}
