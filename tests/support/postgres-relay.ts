import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy between a process and PostgreSQL that can stop at a statement, so that the process can be killed there. */
export interface PostgresRelay {
  /** The database's address, through the relay. */
  readonly url: string;
  /**
   * Stops the next connection that sends a statement with this text: `before` it reaches the database, or `after` the database
   * has executed it and before the process gets the answer. Resolves when the connection is stopped.
   */
  stopAt(moment: "before" | "after", words: string): Promise<void>;
  close(): Promise<void>;
}

interface Stop {
  readonly moment: "before" | "after";
  readonly words: string;
  reached(): void;
}

/** The kinds of messages of PostgreSQL's protocol that matter here. */
const [rowOfData, commandComplete, readyForQuery] = ["D", "C", "Z"];

/** The first whole message of the database: a letter, a length that counts itself, the rest. */
function frameOf(bytes: Buffer): (Buffer & { type: string }) | undefined {
  if (bytes.length < 5) return undefined;
  const length = 1 + bytes.readInt32BE(1);
  if (bytes.length < length) return undefined;
  return Object.assign(bytes.subarray(0, length), { type: String.fromCharCode(bytes.readUInt8(0)) });
}

export async function startPostgresRelay(databaseUrl: string): Promise<PostgresRelay> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let stop: Stop | undefined;

  const server = createServer((client) => {
    const database = connect({ host: target.hostname, port: Number(target.port) });
    let held: Stop | undefined;
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // Either end may be killed at any moment.
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (held?.moment === "before") return;
      if (!held && stop && bytes.includes(stop.words)) {
        held = stop;
        stop = undefined;
        if (held.moment === "before") return held.reached();
      }
      database.write(bytes);
    });
    let unread: Buffer = Buffer.alloc(0);
    let isDone = false;
    database.on("data", (bytes) => {
      if (!held) return client.write(bytes);
      // A statement is read and described before it is carried out; those answers still pass.
      unread = Buffer.concat([unread, bytes]);
      for (let frame = frameOf(unread); frame; frame = frameOf(unread)) {
        unread = unread.subarray(frame.length);
        isDone ||= frame.type === rowOfData || frame.type === commandComplete;
        if (!isDone) client.write(frame);
        else if (frame.type === readyForQuery) held.reached();
      }
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  // Statements are named after their first use otherwise, and their words would pass only once.
  url.searchParams.set("prepare", "false");
  return {
    url: url.href,
    stopAt: (moment, words) =>
      new Promise((resolve) => {
        stop = { moment, words, reached: resolve };
      }),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
