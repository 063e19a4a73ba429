import { describe, expect, it } from "vitest";
import { createGuardedClient } from "./index.ts";
import { answerOf, failureOf, httpServer } from "./test-servers.ts";

const refusedUnasked = { reason: "refused", mayHaveArrived: false };
const allowing = (...urls: string[]) =>
  createGuardedClient({ allowHosts: urls.map((url) => new URL(url).host), defaultTimeoutMs: 5_000 });

describe("an address that is refused unasked", () => {
  const client = createGuardedClient();

  it.each([
    ["another scheme", "file:///etc/passwd"],
    ["another scheme", "ftp://example.com/"],
    ["a password", "http://user:pass@example.com/"],
    ["a privileged port", "http://example.com:25/"],
    ["no URL", "example.com"],
    ["loopback", "http://127.0.0.1/"],
    ["loopback by name", "http://localhost/"],
    ["loopback in short", "http://127.1/"],
    ["loopback as a number", "http://2130706433/"],
    ["loopback in octal", "http://0177.0.0.1/"],
    ["loopback in hexadecimal", "http://0x7f000001/"],
    ["loopback in full-width digits", "http://１２７.０.０.１/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["IPv6 with IPv4 inside", "http://[::ffff:7f00:1]/"],
    ["NAT64", "http://[64:ff9b::a9fe:a9fe]/"],
    ["metadata", "http://169.254.169.254/latest/meta-data/"],
    ["private", "http://192.168.0.1:8080/"],
    ["carrier-grade NAT", "http://100.64.0.1/"],
  ])("%s: %s", async (_, url) => {
    expect(failureOf(await client.request({ method: "GET", url }))).toEqual(refusedUnasked);
  });

  it("a name with one address that is not public among others that are", async () => {
    const mixed = createGuardedClient({
      resolve: async () => [
        { address: "93.184.216.34", family: 4 },
        { address: "fe80::1", family: 6 },
      ],
    });
    const result = await mixed.request({ method: "GET", url: "http://mixed.test/" });
    expect(failureOf(result)).toEqual(refusedUnasked);
  });

  it("a host that is allowed on another port", async () => {
    const server = await httpServer((_, response) => response.end("inside"));
    const result = await allowing("http://127.0.0.1:1").request({ method: "GET", url: server.url });
    expect(failureOf(result)).toEqual(refusedUnasked);
  });
});

describe("an address that is asked", () => {
  it("may be named as an exception", async () => {
    const server = await httpServer((_, response) => response.end("twin"));
    expect(answerOf(await allowing(server.url).request({ method: "GET", url: server.url })).text).toBe(
      "twin",
    );
  });

  it("is connected to as it was checked: a name that changes its answer cannot slip through", async () => {
    const server = await httpServer((_, response) => response.end("checked"));
    const answers = ["127.0.0.1", "127.0.0.2"];
    let lookups = 0;
    const client = createGuardedClient({
      allowHosts: [`rebinding.test:${server.port}`],
      resolve: async () => [{ address: answers[lookups++] ?? "127.0.0.3", family: 4 }],
    });
    const url = `http://rebinding.test:${server.port}/`;
    expect(answerOf(await client.request({ method: "GET", url })).text).toBe("checked");
    expect(lookups).toBe(1);
    // Nothing listens on the second address, and the connection to the first one is not kept.
    expect(failureOf(await client.request({ method: "GET", url })).reason).toBe("connect");
    expect(lookups).toBe(2);
  });
});

describe("a redirect", () => {
  it("is followed, and the last address is told", async () => {
    const server = await httpServer((request, response) => {
      if (request.url === "/end") response.end("arrived");
      else response.writeHead(301, { location: "end" }).end();
    });
    const result = answerOf(
      await allowing(server.url).request({ method: "GET", url: `${server.url}/start` }),
    );
    expect(result).toMatchObject({ text: "arrived", url: `${server.url}/end` });
  });

  it.each([
    "http://10.0.0.1/",
    "http://localhost/",
    "file:///etc/passwd",
    "http://[bad",
    "//169.254.169.254/",
  ])("to %s is refused", async (location) => {
    const server = await httpServer((_, response) => response.writeHead(302, { location }).end());
    const result = await allowing(server.url).request({ method: "GET", url: server.url });
    expect(failureOf(result)).toEqual({ reason: "refused", mayHaveArrived: true });
  });

  it("is returned as it is where none is to be followed", async () => {
    const server = await httpServer((_, response) => response.writeHead(301, { location: "/end" }).end());
    const request = { method: "GET", url: server.url, maxRedirects: 0 } as const;
    expect(answerOf(await allowing(server.url).request(request))).toMatchObject({
      status: 301,
      headers: { location: "/end" },
    });
  });

  it("in a circle ends after five", async () => {
    let asked = 0;
    const server = await httpServer((_, response) => {
      asked++;
      response.writeHead(302, { location: "/again" }).end();
    });
    const result = await allowing(server.url).request({ method: "GET", url: server.url });
    expect(failureOf(result)).toEqual({ reason: "protocol", mayHaveArrived: true });
    expect(asked).toBe(6);
  });

  it("shares one deadline with all others", async () => {
    const server = await httpServer((_, response) => {
      setTimeout(() => response.writeHead(302, { location: "/again" }).end(), 120);
    });
    const result = await allowing(server.url).request({ method: "GET", url: server.url, timeoutMs: 300 });
    expect(failureOf(result)).toEqual({ reason: "timeout", mayHaveArrived: true });
  });

  it("to another origin takes no secrets along, to the same origin it does", async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await httpServer((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const server = await httpServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(302, { location: request.url === "/first" ? "/second" : other.url }).end();
    });
    const secrets = { Authorization: "Bearer t", Cookie: "a=1", "X-Api-Key": "k" };
    await allowing(server.url, other.url).request({
      method: "GET",
      url: `${server.url}/first`,
      headers: { ...secrets, Accept: "text/html" },
    });
    const held = { authorization: "Bearer t", cookie: "a=1", "x-api-key": "k", accept: "text/html" };
    expect(seen.slice(0, 2)).toEqual([expect.objectContaining(held), expect.objectContaining(held)]);
    expect(seen[2]).toMatchObject({ accept: "text/html" });
    for (const name of ["authorization", "cookie", "x-api-key"]) expect(seen[2]).not.toHaveProperty(name);
  });

  it.each([
    [301, "GET", ""],
    [302, "GET", ""],
    [303, "GET", ""],
    [307, "POST", "body"],
    [308, "POST", "body"],
  ])("with %i turns a POST into %s", async (status, method, body) => {
    const server = await httpServer(async (request, response) => {
      if (request.url === "/start") return response.writeHead(status, { location: "/end" }).end();
      let text = "";
      for await (const chunk of request) text += chunk;
      return response.end(`${request.method} ${request.headers["content-type"] ?? ""} ${text}`);
    });
    const result = await allowing(server.url).request({
      method: "POST",
      url: `${server.url}/start`,
      headers: { "Content-Type": "text/plain" },
      body: "body",
    });
    expect(answerOf(result).text).toBe(`${method} ${body && "text/plain"} ${body}`);
  });
});
