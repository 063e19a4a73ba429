import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { createGuardedClient, createProviderClient } from "./index.ts";
import { answerOf, closedPort, failureOf, httpServer, listening, type TestServer } from "./test-servers.ts";

it("reaches a provider through the proxy, with the proxy's password and the provider's name", async () => {
  const provider = await httpServer((request, response) =>
    response.end(`${request.headers.host}${request.url}`),
  );
  const proxy = await tunnelProxy(provider.port);
  const client = createProviderClient({ proxy: proxy.url.replace("//", "//user:p%40ss@") });
  const result = await client.request({ method: "GET", url: "http://api.provider.test/me" });
  expect(answerOf(result).text).toBe("api.provider.test/me");
  expect(proxy.asked).toEqual([
    {
      authority: "api.provider.test:80",
      credentials: `Basic ${Buffer.from("user:p@ss").toString("base64")}`,
    },
  ]);
});

it("reaches this machine without the proxy", async () => {
  const provider = await httpServer((_, response) => response.end("direct"));
  const client = createProviderClient({ proxy: `http://127.0.0.1:${await closedPort()}` });
  expect(answerOf(await client.request({ method: "GET", url: provider.url })).text).toBe("direct");
});

it("knows that nothing left when the proxy refuses or is not there", async () => {
  const refusing = await tunnelProxy(0, 403);
  for (const proxy of [refusing.url, `http://127.0.0.1:${await closedPort()}`]) {
    const client = createProviderClient({ proxy });
    const result = await client.request({ method: "POST", url: "http://api.provider.test/", body: "x" });
    expect(failureOf(result)).toEqual({ reason: "connect", mayHaveArrived: false });
  }
});

it("asks the proxy for the checked address, so that the proxy's own look-up cannot lead elsewhere", async () => {
  const site = await httpServer((request, response) => response.end(`host ${request.headers.host}`));
  const proxy = await tunnelProxy(site.port);
  const client = createGuardedClient({
    proxy: proxy.url,
    resolve: async () => [{ address: "93.184.216.34", family: 4 }],
  });
  const result = await client.request({ method: "GET", url: "http://site.test/" });
  expect(answerOf(result).text).toBe("host site.test");
  expect(proxy.asked).toMatchObject([{ authority: "93.184.216.34:80" }]);
});

it("does not ask the proxy for an address that is not public", async () => {
  const proxy = await tunnelProxy(0);
  const client = createGuardedClient({
    proxy: proxy.url,
    resolve: async () => [{ address: "10.0.0.5", family: 4 }],
  });
  const result = await client.request({ method: "GET", url: "http://intranet.test/" });
  expect(failureOf(result)).toEqual({ reason: "refused", mayHaveArrived: false });
  expect(proxy.asked).toEqual([]);
});

interface TunnelProxy extends TestServer {
  readonly asked: { authority: string | undefined; credentials: string | undefined }[];
}

/** A proxy that leads every tunnel to one port of this machine, or refuses with a status. */
async function tunnelProxy(toPort: number, status = 200): Promise<TunnelProxy> {
  const asked: TunnelProxy["asked"] = [];
  const server = createServer().on("connect", (request, socket) => {
    asked.push({ authority: request.url, credentials: request.headers["proxy-authorization"] });
    socket.write(`HTTP/1.1 ${status} Whatever\r\n\r\n`);
    if (status !== 200) return socket.end();
    const onward = connect(toPort, "127.0.0.1").on("error", () => socket.destroy());
    socket
      .on("error", () => onward.destroy())
      .pipe(onward)
      .pipe(socket);
  });
  return { ...(await listening(server, "http")), asked };
}
