import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  createGuardedClient,
  createGuardedSockets,
  type GuardedSettings,
} from "../../../src/kernel/outbound/index.ts";
import { databases, hosts, urls } from "./addresses.ts";
import { type Canary, startCanary } from "./canary.ts";
import { type Door, databaseDoor, proxyDoor, type Reach, webDoors } from "./doors.ts";

let canary: Canary;
beforeAll(async () => {
  canary = await startCanary();
});
afterEach(() => expect(canary.visits, "something inside was reached").toEqual([]));
afterAll(() => canary?.close());

const atCanary = (url: string) => url.replaceAll("PORT", String(canary.port));
const webHosts = Object.entries(hosts).map(([trick, names]) => [
  trick,
  names.map((host) => `http://${host}:PORT/`),
]);
const webAddresses = [...webHosts, ...Object.entries(urls)] as [string, string[]][];

describe.each(Object.entries<Door>(webDoors))("an address given to %s", (_, door) => {
  it.each(webAddresses)("is not asked: %s", async (_trick, addresses) => {
    const reach = aReach();
    for (const url of addresses.map(atCanary)) {
      const verdict = await door.knock(url, reach);
      expect({ url, verdict }).toEqual({ url, verdict: expect.stringMatching(/refused|failed/) });
    }
  });

  it.each([301, 302, 303, 307, 308])("is not followed inside by a redirect with %i", async (status) => {
    const inside = Object.values(hosts).map(([host]) => atCanary(`http://${host}:PORT/`));
    const outside = await aServer(({ url = "/0" }, response) => {
      // Headers are bytes; what is not ASCII goes as UTF-8, as servers in the wild send it.
      const location = Buffer.from(inside[Number(url.slice(1))] ?? "").toString("latin1");
      response.writeHead(status, { location }).end();
    });
    const reach = aReach({ allowHosts: [outside] });
    for (const at of inside.keys())
      expect([inside[at], await door.knock(`http://${outside}/${at}`, reach)]).toEqual([
        inside[at],
        "refused",
      ]);
  });

  it("is not followed into another scheme, nor through a second redirect", async () => {
    const outside = await aServer((request, response) => {
      const location = request.url === "/" ? "/next" : atCanary("http://localhost:PORT/");
      response.writeHead(302, { location: request.url === "/file" ? "file:///etc/passwd" : location }).end();
    });
    const reach = aReach({ allowHosts: [outside] });
    expect(await door.knock(`http://${outside}/`, reach)).toBe("refused");
    expect(await door.knock(`http://${outside}/file`, reach)).toBe("refused");
  });

  it("is looked up once, so that a second answer of its name finds nobody to believe it", async () => {
    const dns = changingAnswers(["8.8.8.8", "127.0.0.1"]);
    const verdict = await door.knock(
      atCanary("http://rebinding.test:PORT/"),
      aReach({ resolve: dns.resolve }),
    );
    expect(verdict).toBe("failed");
    expect(dns.lookups()).toBe(1);
  });

  it("is refused when one address of its name is inside", async () => {
    const resolve = async () => [
      { address: "8.8.8.8", family: 4 as const },
      { address: "127.0.0.1", family: 4 as const },
    ];
    expect(await door.knock(atCanary("http://mixed.test:PORT/"), aReach({ resolve }))).toBe("refused");
  });

  it("is looked up again for a redirect", async () => {
    const outside = await aServer((_request, response) =>
      response.writeHead(302, { location: atCanary("http://rebinding.test:PORT/") }).end(),
    );
    const reach = aReach({
      allowHosts: [outside],
      resolve: async () => [{ address: "::ffff:127.0.0.1", family: 6 }],
    });
    expect(await door.knock(`http://${outside}/`, reach)).toBe("refused");
  });
});

describe("a database's address", () => {
  it.each(Object.entries(hosts))("is not asked: %s", async (_trick, names) => {
    const reach = aReach();
    for (const host of names) {
      const url = atCanary(`postgres://postgres:secret@${host}:PORT/postgres`);
      const verdict = await databaseDoor.knock(url, reach);
      expect({ url, verdict }).toEqual({ url, verdict: expect.stringMatching(/refused|failed/) });
    }
  });

  it.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "localhost"])(
    "is refused by name: %s",
    async (host) => {
      expect(await databaseDoor.knock(atCanary(`postgres://postgres@${host}:PORT/x`), aReach())).toBe(
        "refused",
      );
    },
  );

  it.each(databases)("is not asked: %s", async (url) => {
    expect(await databaseDoor.knock(atCanary(url), aReach())).not.toBe("asked");
  });

  it("is looked up once", async () => {
    const dns = changingAnswers(["8.8.8.8", "127.0.0.1"]);
    const url = atCanary("postgres://postgres@rebinding.test:PORT/postgres");
    expect(await databaseDoor.knock(url, aReach({ resolve: dns.resolve }))).toBe("failed");
    expect(dns.lookups()).toBe(1);
  });
});

describe("the proxy of an account", () => {
  it.each(Object.entries(hosts))("is not asked: %s", async (_trick, names) => {
    const reach = aReach();
    for (const scheme of ["socks5://", "http://", `mtproxy://${"a".repeat(32)}@`]) {
      for (const host of names) {
        const url = atCanary(`${scheme}${host}:PORT`);
        expect({ url, verdict: await proxyDoor.knock(url, reach) }).toEqual({
          url,
          verdict: expect.stringMatching(/refused|failed/),
        });
      }
    }
  });

  it("is looked up once", async () => {
    const dns = changingAnswers(["8.8.8.8", "127.0.0.1"]);
    const url = atCanary("socks5://rebinding.test:PORT");
    expect(await proxyDoor.knock(url, aReach({ resolve: dns.resolve }))).toBe("failed");
    expect(dns.lookups()).toBe(1);
  });
});

/** As the server makes it, but impatient: a public address must not be waited for. */
function aReach(settings: Partial<GuardedSettings> = {}): Reach {
  const impatient = { connectTimeoutMs: 300, defaultTimeoutMs: 3_000, ...settings };
  const http = createGuardedClient(impatient);
  onTestFinished(() => http.close());
  return { http, sockets: createGuardedSockets(impatient) };
}

/** A name that leads elsewhere every time it is looked up. */
function changingAnswers(answers: readonly string[]) {
  let lookups = 0;
  return {
    resolve: async () => [{ address: answers[lookups++] ?? "127.0.0.1", family: 4 as const }],
    lookups: () => lookups,
  };
}

async function aServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}
