import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey, rowOf } from "../../kernel/crypto/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { aWorkspace } from "../testing/builders.ts";
import { createPayloadStore } from "./payload-store.ts";

const clock = manualClock();
const folder = tempFolder("payloads");
const storage = createStorage({ folder, urlBase: "http://127.0.0.1", secret: "s", clock });
const key = generateKey();
const vault = createVault([key], clock);
const onCall = { caller: { kind: "token", id: "token-1" }, reason: "customer asks why" };
const raw = '{"ok":false,"description":"чужой телефон +7 999 123-45-67"}';
const minute = 60_000;

let database: TestDatabase;
let ours: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  ours = await aWorkspace(database.sql);
});
afterAll(() => database?.drop());

const store = (keys = vault) => createPayloadStore({ sql: database.sql, storage, vault: keys, clock });
const readings = () => database.sql`
  select ts, payload_ref, meta from workspaces.events
  where workspace_id = ${ours} and action = 'payload_read' order by id`;
const filesBelow = (path: string): string[] =>
  readdirSync(path).flatMap((name) => {
    const inner = join(path, name);
    return statSync(inner).isDirectory() ? filesBelow(inner) : [inner];
  });

// covers autoposting: Data privacy / PII
it("gives back what was saved, byte by byte, and records who read it, when and why", async () => {
  const bytes = Buffer.from([0, 255, 10, 13, 128]);
  const ref = await store().save(ours, "provider_answer", bytes);
  expect(await store().read(ours, ref, { ...onCall, reason: " asked by ivan@example.com " })).toEqual(bytes);
  expect(await readings()).toEqual([
    {
      ts: clock.now(),
      payload_ref: ref,
      meta: { caller: onCall.caller, reason: "asked by [email]", via: "direct", kind: "provider_answer" },
    },
  ]);
});

// covers autoposting: Prod checklist
it("keeps nothing readable on disk", async () => {
  const ref = await store().save(ours, "ingress_body", raw);
  const day = clock.now().toISOString().slice(0, 10);
  const stored = readFileSync(join(folder, "payloads", ours, day, ref));
  expect(stored.length).toBeGreaterThan(raw.length);
  for (const file of filesBelow(folder)) {
    const content = readFileSync(file);
    expect(content.includes("999 123")).toBe(false);
    expect(content.includes(Buffer.from(raw).toString("base64").slice(0, 24))).toBe(false);
  }
});

it("notes size, digest and an expiry by the workspace's own retention", async () => {
  await database.sql`
    update workspaces.workspaces set settings = '{"retention": {"payloads_days": 3}}' where workspace_id = ${ours}`;
  const ref = await store().save(ours, "provider_answer", raw);
  const [row] = await database.sql`
    select kind, size_bytes, sha256 = encode(sha256(convert_to(${raw}, 'UTF8')), 'hex') as digest_fits, expires_at
    from delivery.payloads where workspace_id = ${ours} and payload_ref = ${ref}`;
  expect(row).toEqual({
    kind: "provider_answer",
    size_bytes: Buffer.byteLength(raw),
    digest_fits: true,
    expires_at: new Date(clock.now().getTime() + 3 * 24 * 60 * minute),
  });
});

it("shows no payload of another workspace, none that is unknown, none whose time is over, and records no reading", async () => {
  const theirs = await aWorkspace(database.sql);
  const ref = await store().save(ours, "provider_answer", raw);
  expect(await store().read(theirs, ref, onCall)).toBeUndefined();
  expect(await store().signedLink(theirs, ref, { ...onCall, expiresInMs: minute })).toBeUndefined();
  expect(await store().read(ours, "0198c0de-0000-7000-8000-000000000001", onCall)).toBeUndefined();
  clock.advance(14 * 24 * 60 * minute);
  expect(await store().read(ours, ref, onCall)).toBeUndefined();
  expect(await readings()).toEqual([]);
});

it("reads nothing without a reason", async () => {
  const ref = await store().save(ours, "provider_answer", raw);
  await expect(store().read(ours, ref, { ...onCall, reason: "  why " })).rejects.toThrow(/at least 5/);
  expect(await readings()).toEqual([]);
});

it("gives nothing when the reading cannot be recorded", async () => {
  const ref = await store().save(ours, "provider_answer", raw);
  await database.sql`alter table workspaces.events add constraint full_up check (action <> 'payload_read') not valid`;
  try {
    await expect(store().read(ours, ref, onCall)).rejects.toThrow(/full_up/);
  } finally {
    await database.sql`alter table workspaces.events drop constraint full_up`;
  }
});

it("does not open what other keys sealed or what was altered", async () => {
  const ref = await store().save(ours, "provider_answer", raw);
  await expect(store(createVault([generateKey()], clock)).read(ours, ref, onCall)).rejects.toThrow(
    /encryption key/,
  );
  const [row] = await database.sql`select storage_key from delivery.payloads where payload_ref = ${ref}`;
  const other = await store().save(ours, "provider_answer", "another answer");
  const [source] = await database.sql`select storage_key from delivery.payloads where payload_ref = ${other}`;
  await storage.put(row?.storage_key, readFileSync(join(folder, source?.storage_key)), {
    contentType: "x/y",
  });
  await expect(store().read(ours, ref, onCall)).rejects.toThrow(/another place/);
});

// covers autoposting: Data privacy / PII
it("opens a link until its time is over, and records its issue and each use", async () => {
  const ref = await store().save(ours, "provider_answer", raw);
  const link = await store().signedLink(ours, ref, { ...onCall, expiresInMs: 5 * minute });
  expect(link?.expiresAt).toEqual(new Date(clock.now().getTime() + 5 * minute));
  const token = link?.token ?? "";
  clock.advance(5 * minute - 1);
  expect((await store().followLink(token))?.toString()).toBe(raw);
  clock.advance(1);
  expect(await store().followLink(token)).toBeUndefined();
  expect((await readings()).map(({ meta }) => [meta.via, meta.caller.id, meta.reason])).toEqual([
    ["link_issued", "token-1", "customer asks why"],
    ["link", "token-1", "customer asks why"],
  ]);
});

it("refuses links that are forged, altered, or were sealed for something else", async () => {
  const ref = await store().save(ours, "provider_answer", raw);
  const link = await store().signedLink(ours, ref, { ...onCall, expiresInMs: minute });
  const token = link?.token ?? "";
  const flipped = token.slice(0, 60) + (token[60] === "A" ? "B" : "A") + token.slice(61);
  const credential = vault.encrypt("7000000001:token", rowOf("workspaces.secrets", ours, ref));
  const grant = vault.encrypt(
    JSON.stringify({ workspaceId: ours, ref, expiresAt: "2099-01-01T00:00:00Z", ...onCall }),
    "payload-link",
  );
  for (const bad of ["", "x", flipped, token.slice(0, -4), credential, grant]) {
    expect(await store().followLink(bad)).toBeUndefined();
  }
  await expect(store().signedLink(ours, ref, { ...onCall, expiresInMs: 10 * minute + 1 })).rejects.toThrow(
    RangeError,
  );
});

it("closes a link together with its payload", async () => {
  const ref = await store().save(ours, "provider_answer", raw);
  const link = await store().signedLink(ours, ref, { ...onCall, expiresInMs: 10 * minute });
  await database.sql`delete from workspaces.workspaces where workspace_id = ${ours}`;
  expect(await store().followLink(link?.token ?? "")).toBeUndefined();
});
