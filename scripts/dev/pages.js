import { createServer } from "vite";
import { root } from "../setup/root.js";

/** The console and the twins' page from source. The sign-in cookie of the server counts here too: cookies know no ports. */
export async function servePages() {
  const server = await createServer({
    configFile: `${root}/console/vite.config.ts`,
    server: { host: "127.0.0.1" },
    logLevel: "warn",
  });
  await server.listen();
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}
