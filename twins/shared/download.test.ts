import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { download } from "./download.ts";
import { isLoopback } from "./fetch-loopback.ts";

let server: Server;
let port: number;
let asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const to = /^\/to\?(.+)$/.exec(request.url ?? "")?.[1];
    if (request.url === "/circle") response.writeHead(302, { location: "/circle" }).end();
    else if (to) response.writeHead(302, { location: decodeURIComponent(to) }).end();
    else response.writeHead(200, { "content-type": "text/plain" }).end("file");
  }).listen(0, "0.0.0.0");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" ? (address?.port ?? 0) : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetched = (url: string) => download(url, { maxBytes: 100 });
const unreachable = { ok: false, reason: "unreachable" };

/** Reaches the server above, as loopback would, but is not loopback. */
const elsewhere = () => `http://0.0.0.0:${port}/secret`;

describe("a twin", () => {
  it("fetches from this machine, by address or by name, and follows redirects there", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      const found = await fetched(`http://${host}:${port}/a/cat.txt`);
      expect(found).toMatchObject({ ok: true, file: { fileName: "cat.txt", contentType: "text/plain" } });
    }
    const redirected = await fetched(`http://127.0.0.1:${port}/to?${encodeURIComponent("/b/dog.txt")}`);
    expect(redirected).toMatchObject({ ok: true, file: { fileName: "dog.txt" } });
  });

  it("asks nobody else, not even after a redirect", async () => {
    asked = [];
    expect(await fetched(elsewhere())).toEqual(unreachable);
    expect(asked).toEqual([]);
    const redirect = `http://127.0.0.1:${port}/to?${encodeURIComponent(elsewhere())}`;
    expect(await fetched(redirect)).toEqual(unreachable);
    expect(asked).toHaveLength(1);
  });

  it("asks no name that leads elsewhere", async ({ skip }) => {
    const found = await lookup(hostname()).catch(() => undefined);
    if (!found || isLoopback(found.address)) return skip();
    asked = [];
    expect(await fetched(`http://${hostname()}:${port}/`)).toEqual(unreachable);
    expect(asked).toEqual([]);
  });

  it("ends a circle of redirects", async () => {
    expect(await fetched(`http://127.0.0.1:${port}/circle`)).toEqual(unreachable);
  });
});
