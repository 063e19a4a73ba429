import { randomBytes, randomUUID } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../../tests/support/database.ts";
import { telethonString } from "../../../../tests/support/session-strings.ts";
import { createSessionStore } from "../../../accounts/index.ts";
import { aWorkspace } from "../../../delivery/testing/builders.ts";
import { createVault, generateKey } from "../../../kernel/crypto/index.ts";
import { createGuardedSockets } from "../../../kernel/outbound/index.ts";
import { createMtcuteDriver } from "../mtcute-driver.ts";
import { type MtprotoServer, mtprotoServer } from "../testing/mtproto-server.ts";
import { type SocksServer, socksServer } from "../testing/socks-server.ts";
import { NodeCrypto } from "./crypto.ts";
import { transportThrough } from "./transport.ts";

const key = randomBytes(256);
let database: TestDatabase;
let server: MtprotoServer;
let proxy: SocksServer;
let workspaceId: string;
beforeAll(async () => {
  await new NodeCrypto().initialize();
  database = await testDatabase();
  workspaceId = await aWorkspace(database.sql);
  server = await mtprotoServer(key, { code: 420, text: "FLOOD_WAIT_42" });
  proxy = await socksServer("anna", "secret");
});
afterAll(async () => {
  await proxy.close();
  await server.close();
  await database.drop();
});

const device = { deviceModel: "Office PC", systemVersion: "Linux 6", appVersion: "Molva 1", langCode: "ru" };

test.each(["directly", "through a proxy"])(
  "an account speaks MTProto over TCP %s, looking the same each time",
  async (way) => {
    const driver = createMtcuteDriver({
      ...{
        sessions: createSessionStore({ sql: database.sql, vault: createVault([generateKey()]) }),
        apiId: 12_345,
        apiHash: "x",
      },
      timeoutMs: 8_000,
      centre: { ipAddress: "127.0.0.1", port: server.port },
      sockets: createGuardedSockets({
        allowHosts: [server.port, proxy.port].map((port) => `127.0.0.1:${port}`),
      }),
    });
    const account = {
      ...{ workspaceId, accountId: randomUUID(), device },
      ...(way !== "directly" && { proxy: `socks5://anna:secret@127.0.0.1:${proxy.port}` }),
    };
    const before = server.heard.length;
    const session = telethonString(key);
    expect(await driver.logins.importSession(account, session)).toMatchObject({
      ok: false,
      error: { code: "flood_wait", retryAfterMs: 42_000 },
    });
    const said = Buffer.concat(server.heard.slice(before)).toString("utf8");
    for (const part of Object.values(device)) expect(said).toContain(part);
    expect(proxy.targets).toEqual(way === "directly" ? [] : [`127.0.0.1:${server.port}`]);
    await driver.close();
  },
);

test("a proxy inside is not asked, one that is out of reach is told at once", async () => {
  const driver = createMtcuteDriver({
    ...{
      sessions: createSessionStore({ sql: database.sql, vault: createVault([generateKey()]) }),
      apiId: 12_345,
      apiHash: "x",
    },
    sockets: createGuardedSockets(),
  });
  const account = { workspaceId, accountId: randomUUID(), device, proxy: `socks5://127.0.0.1:${proxy.port}` };
  const before = proxy.targets.length;
  expect(await driver.logins.sendCode(account, "+79012000001")).toMatchObject({
    ok: false,
    error: { code: "network", message: expect.stringContaining("the proxy socks5://127.0.0.1") },
  });
  expect(proxy.targets).toHaveLength(before);
  await driver.close();
});

test("a connection that brings more than an account can need is closed", async () => {
  let end = () => {};
  const cut = new Promise<void>((resolve) => {
    end = resolve;
  });
  const flood = createServer((socket) => {
    socket.on("error", () => {}).on("close", () => end());
    socket.write(Buffer.alloc(100_000));
  });
  await new Promise<void>((resolve) => flood.listen(0, "127.0.0.1", resolve));
  const { port } = flood.address() as AddressInfo;
  const sockets = createGuardedSockets({ allowHosts: [`127.0.0.1:${port}`] });
  const centre = { id: 1, ipAddress: "127.0.0.1", port };
  const connection = await transportThrough(undefined, sockets, 10_000).connect(centre);
  const reading = (async () => {
    const into = new Uint8Array(1024);
    while ((await connection.read(into)) > 0);
  })().catch(() => {});
  await Promise.all([cut, reading]);
  flood.close();
});
