import { createServer } from "vite";
import { root } from "../setup/root.js";

/** The console and the twins' page from source. The server's sign-in cookie is valid here too: cookies ignore ports. */
export async function servePages() {
  const server = await createServer({
    configFile: `${root}/console/vite.config.ts`,
    server: { host: "127.0.0.1" },
    logLevel: "warn",
  });
  await server.listen();
  return { url: server.resolvedUrls.local[0], close: () => server.close() };
}
