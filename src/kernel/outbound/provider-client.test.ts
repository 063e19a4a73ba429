import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createProviderClient } from "./index.ts";
import {
  answerOf,
  closedPort,
  failureOf,
  httpServer,
  neverAcceptingServer,
  type TestServer,
  tcpServer,
} from "./test-servers.ts";

const client = createProviderClient({ defaultTimeoutMs: 5_000, maxBytes: 100_000, connectTimeoutMs: 400 });
describe("an exchange that works", () => {
  it("carries method, headers and body there, and status, headers and bytes back", async () => {
    const seen: { method?: string | undefined; secret?: unknown; body?: string } = {};
    const server = await httpServer(async (request, response) => {
      Object.assign(seen, {
        method: request.method,
        secret: request.headers["x-secret"],
        body: await bodyOf(request),
      });
      response.writeHead(201, { "X-Answer": "yes", "Set-Cookie": ["a=1", "b=2"] });
      response.end(Buffer.from([0, 255, 1]));
    });
    const result = answerOf(
      await client.request({
        method: "POST",
        url: `${server.url}/x`,
        headers: { "X-Secret": "s" },
        body: "привет",
      }),
    );
    expect(seen).toEqual({ method: "POST", secret: "s", body: "привет" });
    expect(result).toMatchObject({
      status: 201,
      url: `${server.url}/x`,
      headers: { "x-answer": "yes", "set-cookie": "a=1, b=2" },
    });
    expect([...result.body]).toEqual([0, 255, 1]);
  });

  it("sends a form whole, with its length", async () => {
    const server = await httpServer(async (request, response) => {
      const form = await new Response(await buffer(request), {
        headers: { "content-type": request.headers["content-type"] ?? "" },
      }).formData();
      const file = form.get("photo");
      response.end(
        `${form.get("chat_id")} ${file instanceof File ? `${file.name} ${file.size}` : ""} ${request.headers["content-length"] !== undefined}`,
      );
    });
    const body = new FormData();
    body.set("chat_id", "42");
    body.set("photo", new Blob([new Uint8Array(300)]), "кот.png");
    const result = await client.request({
      method: "POST",
      url: server.url,
      body,
      headers: { "content-type": "wrong" },
    });
    expect(answerOf(result).text).toBe("42 кот.png 300 true");
  });

  it("sends files of a form while it reads them, with the length of all", async () => {
    const server = await httpServer(async (request, response) => {
      const headers = { "content-type": request.headers["content-type"] ?? "" };
      const form = await new Response(await buffer(request), { headers }).formData();
      const file = form.get("photo");
      const said = file instanceof File ? `${file.name} ${file.type} ${await file.text()}` : "";
      response.end(`${form.get("chat_id")} ${said} ${request.headers["content-length"] !== undefined}`);
    });
    const file = (size: number) => ({
      name: "photo",
      fileName: 'кот "рыжий".txt',
      contentType: "text/plain",
      size,
      async open() {
        return Readable.from([Buffer.from("мя"), Buffer.from("у")]);
      },
    });
    const send = (size: number) =>
      client.request({
        method: "POST",
        url: server.url,
        body: [{ name: "chat_id", value: "42" }, file(size)],
      });
    expect(answerOf(await send(6)).text).toBe('42 кот "рыжий".txt text/plain мяу true');
    // A file of another length than announced must not run into the next field.
    expect(await send(5)).toMatchObject({ kind: "failure" });
  });

  it("hands the body of a good answer on as it comes, and keeps that of a refusal", async () => {
    const server = await httpServer((request, response) =>
      response.writeHead(request.url === "/good" ? 200 : 404).end("тело"),
    );
    const parts: Buffer[] = [];
    const into = async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) parts.push(Buffer.from(chunk));
    };
    expect(answerOf(await client.request({ method: "GET", url: `${server.url}/good`, into })).text).toBe("");
    expect(Buffer.concat(parts).toString()).toBe("тело");
    expect(answerOf(await client.request({ method: "GET", url: `${server.url}/bad`, into })).text).toBe(
      "тело",
    );
    const small = await client.request({ method: "GET", url: `${server.url}/good`, into, maxBytes: 3 });
    expect(small).toMatchObject({ kind: "failure", reason: "too_large" });
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("unpacks %s", async (coding, compress) => {
    const server = await httpServer((_, response) =>
      response.writeHead(200, { "content-encoding": coding }).end(compress("сжато")),
    );
    expect(answerOf(await client.request({ method: "GET", url: server.url })).text).toBe("сжато");
  });

  it("fails when a body breaks off while it is read slowly, and the process goes on", async () => {
    const { server, closed } = await closingServer("Content-Length: 90000\r\n");
    const into = async (chunks: AsyncIterable<Uint8Array>) => {
      await closed;
      for await (const _ of chunks);
    };
    expect(failureOf(await client.request({ method: "GET", url: server.url, into }))).toMatchObject({
      mayHaveArrived: true,
    });
  });

  it.each([
    ["of an announced length", "Content-Length: 65536\r\n"],
    ["that ends with the connection", ""],
  ])("reads a body %s slowly after the server has closed the connection behind it", async (_, length) => {
    const { server, closed } = await closingServer(length);
    let got = 0;
    const into = async (chunks: AsyncIterable<Uint8Array>) => {
      await closed;
      for await (const chunk of chunks) got += chunk.length;
    };
    expect(answerOf(await client.request({ method: "GET", url: server.url, into })).status).toBe(200);
    expect(got).toBe(65_536);
  });

  it("reads no body of a HEAD answer, however large it is announced", async () => {
    const server = await httpServer((_, response) =>
      response.writeHead(200, { "content-length": "999999999", "content-encoding": "gzip" }).end(),
    );
    expect(answerOf(await client.request({ method: "HEAD", url: server.url })).body).toHaveLength(0);
  });

  it("returns a redirect as it is", async () => {
    const server = await httpServer((_, response) => response.writeHead(302, { location: "/there" }).end());
    expect(answerOf(await client.request({ method: "GET", url: server.url }))).toMatchObject({
      status: 302,
      headers: { location: "/there" },
    });
  });
});

describe("a request that never left", () => {
  it("is known when the connection is refused", async () => {
    const result = await client.request({
      method: "POST",
      url: `http://127.0.0.1:${await closedPort()}`,
      body: "x",
    });
    expect(failureOf(result)).toEqual({ reason: "connect", mayHaveArrived: false });
  });

  it("is known when the name does not exist", async () => {
    const result = await client.request({ method: "POST", url: "http://nobody.invalid/", body: "x" });
    expect(failureOf(result)).toEqual({ reason: "connect", mayHaveArrived: false });
  });

  it("is known when the server never accepts", async () => {
    const server = await neverAcceptingServer();
    const result = await client.request({ method: "POST", url: server.url, body: "x" });
    expect(failureOf(result)).toEqual({ reason: "timeout", mayHaveArrived: false });
  });

  it("is known when the time is over before the connection is made", async () => {
    const server = await neverAcceptingServer();
    const result = await client.request({ method: "POST", url: server.url, body: "x", timeoutMs: 100 });
    expect(failureOf(result)).toEqual({ reason: "timeout", mayHaveArrived: false });
  });

  it("is known when the caller had given up before", async () => {
    const result = await client.request({
      method: "GET",
      url: "http://127.0.0.1:9/",
      signal: AbortSignal.abort(),
    });
    expect(failureOf(result)).toEqual({ reason: "aborted", mayHaveArrived: false });
  });

  it.each([
    ["the address is no URL", { url: "not a url" }],
    [
      "a header would break out of its line",
      { url: "http://127.0.0.1:9/", headers: { "x-a": "1\r\nx-b: 2" } },
    ],
  ])("is known when %s", async (_, request) => {
    const result = await client.request({ method: "GET", ...request });
    expect(failureOf(result)).toEqual({ reason: "protocol", mayHaveArrived: false });
  });
});

describe("a request that may have arrived", () => {
  it("is said to when the server accepts and closes", async () => {
    const server = await tcpServer((socket) => socket.once("data", () => socket.destroy()));
    const result = await client.request({ method: "POST", url: server.url, body: "x" });
    expect(failureOf(result)).toEqual({ reason: "reset", mayHaveArrived: true });
  });

  it("is said to when half an answer comes", async () => {
    const server = await tcpServer((socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")),
    );
    const result = await client.request({ method: "POST", url: server.url, body: "x" });
    expect(failureOf(result)).toEqual({ reason: "reset", mayHaveArrived: true });
  });

  it("is said to when the server never answers", async () => {
    const server = await tcpServer((socket) => socket.resume());
    const result = await client.request({ method: "POST", url: server.url, body: "x", timeoutMs: 200 });
    expect(failureOf(result)).toEqual({ reason: "timeout", mayHaveArrived: true });
  });

  it("is said to when no answer begins in its own time", async () => {
    const server = await tcpServer(() => {});
    expect(
      failureOf(await client.request({ method: "GET", url: server.url, firstByteMs: 50, timeoutMs: 60_000 })),
    ).toMatchObject({ reason: "timeout", mayHaveArrived: true });
  });

  it("is said to when the answer drips longer than the time allowed", async () => {
    const server = await httpServer((_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    });
    const result = await client.request({ method: "GET", url: server.url, timeoutMs: 300 });
    expect(failureOf(result)).toEqual({ reason: "timeout", mayHaveArrived: true });
  });

  it("is said to when the caller gives up in the middle", async () => {
    const controller = new AbortController();
    const server = await httpServer(() => controller.abort());
    const result = await client.request({
      method: "POST",
      url: server.url,
      body: "x",
      signal: controller.signal,
    });
    expect(failureOf(result)).toEqual({ reason: "aborted", mayHaveArrived: true });
  });

  it.each([
    ["something other than HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["a broken header", "HTTP/1.1 200 OK\r\nbad header\u0000: 1\r\n\r\n"],
  ])("is said to when %s comes back", async (_, bytes) => {
    const server = await tcpServer((socket) => socket.once("data", () => socket.end(bytes)));
    const result = await client.request({ method: "POST", url: server.url, body: "x" });
    expect(failureOf(result)).toEqual({ reason: "protocol", mayHaveArrived: true });
  });
});

describe("an answer that is too much", () => {
  it("is left unread beyond the limit, and the connection is closed", async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const server = await httpServer((_, response) => {
      closed = once(response, "close");
      const endless = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", endless);
      endless();
    });
    const result = await client.request({ method: "GET", url: server.url });
    expect(failureOf(result)).toEqual({ reason: "too_large", mayHaveArrived: true });
    await closed;
  });

  it("is refused by its announced length alone", async () => {
    const server = await httpServer((_, response) =>
      response.writeHead(200, { "content-length": "100001" }).flushHeaders(),
    );
    const result = await client.request({ method: "GET", url: server.url });
    expect(failureOf(result)).toEqual({ reason: "too_large", mayHaveArrived: true });
  });

  it("may be a small archive of a large nothing", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    const server = await httpServer((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    const result = await client.request({ method: "GET", url: server.url });
    expect(failureOf(result)).toEqual({ reason: "too_large", mayHaveArrived: true });
  });

  it("may pass when the request allows more", async () => {
    const large = Buffer.alloc(150_000, 7);
    const server = await httpServer((_, response) => response.end(large));
    const { body } = answerOf(await client.request({ method: "GET", url: server.url, maxBytes: 200_000 }));
    expect(createHash("sha256").update(body).digest("hex")).toBe(
      createHash("sha256").update(large).digest("hex"),
    );
  });

  it.each([
    ["a coding nobody asked for", "zstd", Buffer.from("x")],
    ["an archive that is none", "gzip", Buffer.from("plain")],
    ["an archive cut short", "gzip", gzipSync("a long enough text").subarray(0, 20)],
  ])("is a protocol failure with %s", async (_, coding, bytes) => {
    const server = await httpServer((_request, response) =>
      response.writeHead(200, { "content-encoding": coding }).end(bytes),
    );
    const result = await client.request({ method: "GET", url: server.url });
    expect(failureOf(result)).toEqual({ reason: "protocol", mayHaveArrived: true });
  });
});

it("names no path in a failure's message, because a token may be in it", async () => {
  const server = await tcpServer((socket) => socket.destroy());
  for (const base of [server.url, `http://127.0.0.1:${await closedPort()}`, "http://nobody.invalid"]) {
    const result = await client.request({ method: "GET", url: `${base}/bot123:SECRET/getMe` });
    expect(result).toMatchObject({ kind: "failure", message: expect.not.stringContaining("SECRET") });
  }
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  return (await buffer(request)).toString("utf8");
}

/** Answers with 65,536 bytes and closes at once; `closed` when everything has left it. */
async function closingServer(header: string): Promise<{ server: TestServer; closed: Promise<void> }> {
  let left = () => {};
  const closed = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = await tcpServer((socket) => {
    socket.once("data", () => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}Connection: close\r\n\r\n`);
      socket.end(Buffer.alloc(65_536, "a"), left);
    });
  });
  return { server, closed };
}
