import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApiToken } from "../../../src/http/index.ts";
import { systemClock } from "../../../src/kernel/clock/index.ts";
import { type RunningSystem, startSystem } from "../../support/running-system.ts";
import { hosts } from "./addresses.ts";
import { type Canary, startCanary } from "./canary.ts";

/** The assembled server: each entry point must use the guarded client, and not that of providers. */
let running: RunningSystem;
let canary: Canary;
let authorization: string;

beforeAll(async () => {
  canary = await startCanary();
  running = await startSystem({
    // The twin of Telegram fetches media by itself, as Telegram does; MAX is sent the bytes.
    prepare: ({ sql }) => sql`update delivery.channels set enabled = false where platform = 'telegram'`,
  });
  const { token } = await createApiToken(running.database.sql, {
    name: "hostile",
    scopes: ["write", "operate"],
    workspaceId: null,
    createdBy: null,
    expiresAt: null,
    clock: systemClock,
  });
  authorization = `Bearer ${token}`;
});
afterAll(async () => {
  await running?.stop();
  await canary?.close();
});

/** The first of each trick is enough here: the doors' own suite tries them all. */
const inside = Object.values(hosts).flatMap((names) => names.slice(0, 1));

const kinds = {
  rss: (host: string) => ({ config: { url: `http://${host}:${canary.port}/feed` } }),
  api: (host: string) => ({
    config: { url: `http://${host}:${canary.port}/items`, fields: { id: "/id", text: "/text" } },
  }),
  db: (host: string) => ({
    config: {
      query: "select now() as at, 1 as id",
      time_column: "at",
      id_column: "id",
      fields: { id: "/id", text: "/id" },
    },
    secret: `postgres://postgres:password@${host}:${canary.port}/postgres`,
  }),
};

it.each(Object.entries(kinds))("a source of the kind %s reaches nothing inside", async (kind, sourceAt) => {
  for (const host of inside) {
    const source_id = randomUUID();
    // Long before its first run by itself, so that the rehearsal is the one that asks.
    const added = await call("POST", "/sources", {
      source_id,
      kind,
      ...sourceAt(host),
      every_seconds: 600_000,
    });
    if (added.status === 201) {
      const run = await call("POST", `/sources/${source_id}/run`, { dry_run: true });
      expect([host, run.body]).toMatchObject([host, { outcome: "failed" }]);
    } else expect([host, added.status]).toEqual([host, 422]);
  }
  expect(canary.visits).toEqual([]);
});

it("a post's media are not fetched from inside by this server", async () => {
  const url = `http://127.0.0.1:${canary.port}/photo.jpg`;
  const { message_id } = await running.post({
    payload: { text: "С картинкой изнутри", media: [{ type: "photo", url }] },
  });
  const deliveries = await running.settled(message_id);
  expect(deliveries.length).toBeGreaterThan(0);
  // The twin of MAX may have fetched the address by itself, as MAX would; this server did not.
  expect(canary.visits.filter((visit) => /user-agent: Molva/i.test(visit))).toEqual([]);
});

async function call(method: string, path: string, body: unknown) {
  const answer = await fetch(`${running.system.url()}/api/v1${path}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
