import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Inspects the data of one connection; if it does not pass something, the connection ends. */
export interface Watch {
  request(bytes: Buffer): boolean;
  answer(bytes: Buffer): boolean;
}

/** A proxy between one process and a server: its traffic can be inspected and cut. */
export interface Gate {
  readonly port: number;
  /** Cuts every connection, in the middle of any transfer. */
  cut(): void;
  close(): Promise<void>;
}

export async function openGate(target: () => number, watch: () => Watch): Promise<Gate> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target(), host: "127.0.0.1", noDelay: true });
    const seen = watch();
    const end = () => {
      near.destroy();
      far.destroy();
    };
    pass(near, far, (bytes) => seen.request(bytes), end);
    pass(far, near, (bytes) => seen.answer(bytes), end);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the gate has no port");

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(from: Socket, to: Socket, mayPass: (bytes: Buffer) => boolean, end: () => void): void {
  from.on("data", (bytes) => {
    if (!mayPass(bytes)) return end();
    if (!to.write(bytes)) {
      from.pause();
      to.once("drain", () => from.resume());
    }
  });
  from.on("end", () => to.end());
  // Broken connections are expected here.
  from.on("error", end);
  from.on("close", end);
}
