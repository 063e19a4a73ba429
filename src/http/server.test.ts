import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import type { RouteModule } from "./index.ts";
import { createTestHttpServer, startTestHttpServer } from "./testing/http-server.ts";
import { trustOf } from "./trusted-proxies.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

/** A connection that stays open after its first answer. */
async function keepAlive(url: string, path: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  // A server may close the connection with a reset.
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  const ask = (what: string) => socket.write(`GET ${what} HTTP/1.1\r\nHost: molva\r\n\r\n`);
  ask(path);
  return { ask, closed, received: () => received, write: (text: string) => socket.write(text) };
}

/** A server that would wait for longer than a test may take. */
const patient = { limits: { stopWithinMs: 600_000 } };

it("closes idle connections at once when it stops", async () => {
  const server = await startTestHttpServer({ sql: database.sql, settings: patient });
  const idle = await keepAlive(server.url(), "/healthz");
  await expect.poll(idle.received).toContain('{"status":"ok"}');
  await server.stop();
  await idle.closed;
});

it("finishes what is in progress when it stops and accepts nothing new", async () => {
  let finish = () => {};
  let arrived = () => {};
  const inHand = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const slow: RouteModule = {
    name: "slow",
    routes(app) {
      app.get("/slow", async () => {
        arrived();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return { done: true };
      });
    },
  };
  const server = await startTestHttpServer({ sql: database.sql, modules: [slow], settings: patient });
  const connection = await keepAlive(server.url(), "/slow");
  await inHand;
  const url = server.url();
  const stopped = server.stop();
  await expect
    .poll(() =>
      fetch(`${url}/healthz`).then(
        () => "answered",
        () => "refused",
      ),
    )
    .toBe("refused");
  finish();
  await stopped;
  await connection.closed;
  expect(connection.received()).toContain('{"done":true}');
});

it("ends a request whose body does not come in time, unless its route takes files", async () => {
  const arrived: string[] = [];
  const bodies: RouteModule = {
    name: "bodies",
    routes(app) {
      app.post("/short", async ({ body }) => body);
      app.post("/file", { config: { slowBody: true } }, async ({ body }) => {
        arrived.push(JSON.stringify(body));
        return body;
      });
    },
  };
  const server = await startTestHttpServer({
    sql: database.sql,
    modules: [bodies],
    settings: { limits: { requestTimeoutMs: 100 } },
  });
  const begin = async (path: string) => {
    const { write, closed } = await keepAlive(server.url(), "/healthz");
    write(
      `POST ${path} HTTP/1.1\r\nHost: molva\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
    );
    return { write, closed };
  };
  const file = await begin("/file");
  const short = await begin("/short");
  await short.closed;
  file.write("}");
  await expect.poll(() => arrived).toEqual(["{}"]);
  await server.stop();
});

it("cuts a stream without an end after the grace", async () => {
  const stream: RouteModule = {
    name: "stream",
    routes(app) {
      app.get("/stream", (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { "content-type": "text/event-stream" });
        reply.raw.write("data: 1\n\n");
      });
    },
  };
  const server = await startTestHttpServer({
    sql: database.sql,
    modules: [stream],
    settings: { limits: { stopWithinMs: 200 } },
  });
  const listener = await keepAlive(server.url(), "/stream");
  await expect.poll(listener.received).toContain("data: 1");
  await server.stop();
  await listener.closed;
});

describe("the client's address and protocol", () => {
  const who: RouteModule = {
    name: "who",
    routes: (app) => void app.get("/who", async ({ ip, protocol }) => ({ ip, protocol })),
  };
  const invented = "1.2.3.4";

  it.each([
    ["nobody is trusted", 0, "198.51.100.7", "127.0.0.1", "http"],
    ["one proxy is trusted", 1, `${invented}, 198.51.100.7`, "198.51.100.7", "https"],
    ["two proxies are trusted", 2, `${invented}, 198.51.100.7, 8.8.8.8`, "198.51.100.7", "https"],
    ["its network is trusted", ["loopback"], `${invented}, 198.51.100.7`, "198.51.100.7", "https"],
    [
      "both networks are",
      ["127.0.0.1", "8.8.8.0/24"],
      `${invented}, 198.51.100.7, 8.8.8.8`,
      "198.51.100.7",
      "https",
    ],
    ["another network is trusted", ["10.0.0.0/8"], "198.51.100.7", "127.0.0.1", "http"],
  ])("are what the last trusted proxy saw when %s", async (_case, trustProxy, forwarded, ip, protocol) => {
    const server = await startTestHttpServer({ sql: database.sql, modules: [who], settings: { trustProxy } });
    const headers = { "x-forwarded-for": forwarded, "x-forwarded-proto": "https" };
    expect(await (await server.call("/who", { headers })).json()).toEqual({ ip, protocol });
    await server.stop();
  });

  it("are not taken from headers of somebody who reaches the port from the Internet", () => {
    const trust = trustOf(1);
    if (typeof trust !== "function") throw new Error("hops are decided by a function");
    expect(["8.8.8.8", "::ffff:8.8.8.8", "2a00::1"].map((address) => trust(address, 0))).toEqual([
      false,
      false,
      false,
    ]);
    expect(["10.1.2.3", "::ffff:127.0.0.1", "::1"].map((address) => trust(address, 0))).toEqual([
      true,
      true,
      true,
    ]);
  });
});

it("may be stopped twice, and before it was started", async () => {
  const never = await createTestHttpServer({ sql: database.sql });
  await never.stop();
  const server = await startTestHttpServer({ sql: database.sql });
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
});

it("says in one sentence that the port is taken, or the host is not this machine's", async () => {
  const first = await startTestHttpServer({ sql: database.sql });
  const port = Number(new URL(first.url()).port);
  await expect(startTestHttpServer({ sql: database.sql, settings: { port } })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken by another program; stop it or choose another port with MOLVA_PORT.`,
  );
  await first.stop();
  await expect(startTestHttpServer({ sql: database.sql, settings: { host: "192.0.2.1" } })).rejects.toThrow(
    "192.0.2.1 is not an address of this machine",
  );
});
