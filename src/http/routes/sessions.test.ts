import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../testing/http-server.ts";

const clock = manualClock();
let database: TestDatabase;
let server: TestHttpServer;

beforeAll(async () => {
  database = await testDatabase();
  server = await startTestHttpServer({ sql: database.sql, clock });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

const page = z.object({
  items: z.array(z.looseObject({ id: z.string(), login: z.string(), current: z.boolean() })),
});
const list = async (headers: Record<string, string>, query = "") =>
  page.parse(await (await server.call(`/api/v1/sessions${query}`, { headers })).json()).items;
const end = async (headers: Record<string, string>, id: string) =>
  (await server.call(`/api/v1/sessions/${id}`, { method: "DELETE", headers })).status;

it("lists where the operator is signed in, and says which session is this one", async () => {
  const { headers, login } = await server.signedInAs({});
  expect(await list(headers)).toEqual([
    {
      ...{ id: expect.any(String), operator_id: expect.any(String), login, current: true },
      ...{ address: "127.0.0.1", user_agent: expect.any(String) },
      ...{ created_at: expect.any(String), last_seen_at: expect.any(String), expires_at: expect.any(String) },
    },
  ]);
});

it("ends a session of the operator at once", async () => {
  const { headers } = await server.signedInAs({});
  const [own] = await list(headers);
  expect(await end(headers, own?.id ?? "")).toBe(204);
  expect((await server.call("/api/v1/session", { headers })).status).toBe(401);
});

it("shows and ends those of others only for an administrator of the installation", async () => {
  const { headers: theirs, login } = await server.signedInAs({});
  const { headers: ours } = await server.signedInAs({});
  const [session] = await list(theirs);
  const id = session?.id ?? "";
  expect((await server.call("/api/v1/sessions?all=true", { headers: ours })).status).toBe(403);
  expect(await end(ours, id)).toBe(404);
  const admin = await server.signedIn();
  expect((await list(admin, "?all=true")).map((each) => each.login)).toContain(login);
  expect(await end(admin, id)).toBe(204);
  expect((await server.call("/api/v1/session", { headers: theirs })).status).toBe(401);
});
