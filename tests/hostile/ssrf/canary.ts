import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** A server on loopback that must never be reached. It records the first bytes of every visitor. */
export interface Canary {
  readonly port: number;
  readonly visits: readonly string[];
  close(): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  const visits: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const place = visits.push("") - 1;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("data", (bytes) => {
      visits[place] = bytes.toString("latin1");
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\ninside");
    });
  });
  // On every address of both families, so that each way to write loopback would find it.
  await once(server.listen(0, "::"), "listening").catch(() => once(server.listen(0, "0.0.0.0"), "listening"));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("the canary does not listen on a port");
  return {
    port: address.port,
    visits,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
