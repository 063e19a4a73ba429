import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";
import { mediaRoute } from "./media.ts";

const clock = manualClock(new Date());
const settings = { folder: tempFolder("media-route"), urlBase: "/media", secret: "the secret", clock };
const storage = createStorage(settings);
let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestHttpServer({
    sql: database.sql,
    modules: [{ name: "media", routes: (app) => mediaRoute(app, storage) }],
  });
  await storage.put("seo/1.webp", Buffer.from("picture"), { contentType: "image/webp" });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

it("a signed address shows its picture on any site until it expires, and runs nothing", async () => {
  const address = await storage.signedUrl("seo/1.webp", { expiresInMs: 60_000 });
  const answer = await server.call(address);
  expect([answer.status, await answer.text()]).toEqual([200, "picture"]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/webp",
    "content-length": "7",
    "cross-origin-resource-policy": "cross-origin",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
  clock.advance(60_001);
  expect((await server.call(address)).status).toBe(404);
});

it("nothing is served without the signature of exactly that file", async () => {
  const address = await storage.signedUrl("seo/1.webp", { expiresInMs: 60_000 });
  const absent = await storage.signedUrl("seo/2.webp", { expiresInMs: 60_000 });
  const foreign = createStorage({ ...settings, secret: "another" });
  for (const refused of [
    ...["/media/seo/1.webp", "/media/../package.json", "/media/", absent],
    ...[address.replace("1.webp", "1.webp+type"), absent.replace("2.webp", "1.webp")],
    ...[`${address}0`, `${address}&expires=9999999999999`],
    await foreign.signedUrl("seo/1.webp", { expiresInMs: 60_000 }),
  ])
    expect((await server.call(refused)).status, refused).toBe(404);
});
