import { once } from "node:events";
import { createServer } from "node:net";
import { listenFailure } from "../http/index.ts";
import type { Config } from "../kernel/config/index.ts";
import { twinsFailure } from "./twins.ts";

/** Refuses ports that are taken, before the database is prepared for a server that cannot listen. */
export async function refuseTakenPorts(
  { MOLVA_HOST: host, MOLVA_PORT: port, MOLVA_TWIN_PORT: twinPort }: Config,
  { withTwins }: { withTwins: boolean },
): Promise<void> {
  await tryListening(host, port).catch((error) => {
    throw listenFailure(error, { host, port });
  });
  if (withTwins)
    await tryListening("127.0.0.1", twinPort).catch((error) => {
      throw twinsFailure(error, twinPort);
    });
}

async function tryListening(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  server.close();
  await once(server, "close");
}
