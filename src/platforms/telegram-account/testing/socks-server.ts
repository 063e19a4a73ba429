import { connect, createServer, type Socket } from "node:net";

/** A SOCKS5 proxy that requires a password. */
export interface SocksServer {
  readonly port: number;
  /** The addresses it was asked to connect to. */
  readonly targets: string[];
  close(): Promise<void>;
}

export async function socksServer(user: string, password: string): Promise<SocksServer> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    // Greeting, password, command: each in a packet of its own.
    const steps = [
      () => socket.write(Buffer.from([5, 2])),
      (said: Buffer) => {
        const length = said[1] ?? 0;
        const given = [said.subarray(2, 2 + length), said.subarray(3 + length)].map(String);
        const right = given[0] === user && given[1] === password;
        socket.write(Buffer.from([1, right ? 0 : 1]));
      },
      (said: Buffer) => {
        const host = said.subarray(4, 8).join(".");
        const port = said.readUInt16BE(8);
        targets.push(`${host}:${port}`);
        const onward = connect(port, host, () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          socket.pipe(onward).pipe(socket);
        });
        onward.on("error", () => socket.destroy());
        socket.on("close", () => onward.destroy());
      },
    ];
    socket.on("data", (said) => steps.shift()?.(said));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the proxy does not listen");
  return {
    port: address.port,
    targets,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
