import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import {
  aMachine,
  anEmptyMachine,
  hasNothing,
  keys,
  type Machine,
  machineOn,
} from "../../../tests/support/backup-harness.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { fillEveryStore, type Kept } from "../../../tests/support/every-store.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { startS3Twin } from "../../../twins/s3/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import {
  listBackups,
  loadTables,
  openBackup,
  type Place,
  schemasOf,
  takeBackup,
  withSession,
} from "../../kernel/backup/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { generateKey } from "../../kernel/crypto/index.ts";
import { admitApplication, connect, migrate, readMigrationSources } from "../../kernel/db/index.ts";
import { defineTask, enqueue, runWorkerMigrations } from "../../kernel/jobs/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { databaseAddress } from "../../kernel/url/index.ts";
import { createSystem, type System } from "../../main.ts";
import { roles } from "../../module/index.ts";
import { configFrom } from "../../modules.ts";
import { fileFolders } from "../../workspaces/index.ts";
import { prefilled } from "./restore.ts";

const anyTask = defineTask({ name: "any", schema: z.unknown(), run: async () => {} });

let machine: Machine;
let kept: Kept[];
/** A finished backup of `machine`, not to be changed by a test. */
const place = tempFolder("backups");
let id: string;

beforeAll(async () => {
  machine = await aMachine();
  const core = await machine.core();
  kept = await fillEveryStore(core);
  const { sql } = machine.database;
  await sql`select workspaces.ensure_event_partitions(0, now() - n * interval '1 day') from generate_series(0, 5) n`;
  await sql`
    insert into workspaces.events (workspace_id, id, ts, action, result)
    select (select workspace_id from workspaces.workspaces limit 1), molva.uuidv7(), now() - n * interval '1 day', 'received', 'ok'
    from generate_series(0, 5) n`;
  await enqueue(sql, anyTask, {});
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone'`;
  await core.close();
  const { code, out, err } = await machine.molva("backup", place, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  ({ id } = JSON.parse(out));
});
afterAll(() => machine?.drop());

/** A copy of the backups, to be damaged. */
function copied(): string {
  const folder = tempFolder("damaged");
  cpSync(place, folder, { recursive: true });
  return folder;
}
const part = (folder: string, number: number) => join(folder, id, "parts", String(number).padStart(6, "0"));
/** Cheaper than an empty one, and as good. */
async function migratedMachine(settings: Record<string, string> = {}): Promise<Machine> {
  const migrated = await aMachine(settings);
  onTestFinished(() => migrated.drop());
  return migrated;
}
async function emptyMachine(settings: Record<string, string> = {}): Promise<Machine> {
  const empty = await anEmptyMachine(settings);
  onTestFinished(() => empty.drop());
  return empty;
}

describe("molva backup", () => {
  it("says what it holds and which keys it needs, and holds no plain text", async () => {
    const listed = await machine.molva("backup", "list", place);
    expect(listed.out).toMatch(new RegExp(`${id} .* finished`));
    const files = readdirSync(join(place, id), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), "latin1");
      expect(text).not.toContain("workspace_id");
      expect(text).not.toContain("delivery.messages");
    }
  });

  it("is verified without a database", async () => {
    const elsewhere = machineOn({ ...machine.database, url: "postgres://127.0.0.1:1/none" });
    const { code, out } = await elsewhere.molva("backup", "verify", place);
    expect({ code, out: out.split("\n").at(-1) }).toEqual({ code: 0, out: `Backup ${id} is whole.` });
  });

  it("refuses without a key, with a short passphrase, and among the files that it would copy", async () => {
    const without = await machine.with({ MOLVA_BACKUP_KEY: "" }).molva("backup", place);
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining("set MOLVA_BACKUP_KEY") });
    const short = await machine.with({ MOLVA_BACKUP_KEY: "short" }).molva("backup", tempFolder("short"));
    expect(short).toMatchObject({ code: 1, err: expect.stringContaining("too short") });
    const inside = await machine.molva("backup", join(machine.home, "media", "backups"));
    expect(inside).toMatchObject({ code: 2, err: expect.stringContaining("choose another place") });
  });

  it("refuses a role that does not own the tables, instead of copying what that one sees", async () => {
    const url = new URL(machine.database.url);
    url.username = "backup_app";
    url.password = "secret";
    await admitApplication(machine.database.sql, url.href);
    const asApplication = machine.with({ DATABASE_URL: url.href });
    const refused = await asApplication.molva("backup", tempFolder("app"));
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("Set DATABASE_OWNER_URL") });
    const asOwner = asApplication.with({ DATABASE_OWNER_URL: machine.database.url });
    expect(await asOwner.molva("backup", tempFolder("owner"))).toMatchObject({ code: 0 });
    await machine.database.sql.unsafe("drop owned by backup_app; drop role backup_app");
  });

  it("finds the primary among several hosts, for a backup and for its restore", async () => {
    const folder = tempFolder("hosts");
    const source = machine.with({ DATABASE_URL: withLostHost(machine.database.url) });
    expect(await source.molva("backup", folder)).toMatchObject({ code: 0, err: "" });
    const empty = await migratedMachine();
    const target = empty.with({ DATABASE_URL: withLostHost(empty.database.url) });
    expect(await target.molva("restore", folder, "--yes")).toMatchObject({ code: 0, err: "" });
  });

  it("names files that rows need and the storage does not have", async () => {
    const core = await machine.core();
    const [row] = await core.sql<[{ storage_key: string }]>`
      update delivery.payloads set created_at = now() - interval '1 hour' returning storage_key`;
    const file = await core.storage.get(row.storage_key);
    const bytes = file ? await buffer(file.body) : Buffer.alloc(0);
    await core.storage.delete(row.storage_key);
    const { out } = await machine.molva("backup", tempFolder("missing"), "--json");
    expect(JSON.parse(out)).toMatchObject({ missing_files: 1, missing_named: [row.storage_key] });
    await core.storage.put(row.storage_key, bytes, { contentType: "application/octet-stream" });
    await core.close();
  });

  it("keeps the newest of several, and names one that was never finished", async () => {
    const folder = tempFolder("several");
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { out } = await machine.molva("backup", folder, "--json", ...(n === 2 ? ["--keep", "2"] : []));
      ids.push(JSON.parse(out).id);
      if (n === 2) expect(JSON.parse(out).deleted).toEqual([ids.sort()[0]]);
    }
    const [, second = "", third = ""] = ids.sort();
    rmSync(join(folder, third, "manifest.json"));
    const { out } = await machine.molva("backup", "list", folder, "--json");
    expect(JSON.parse(out).items).toMatchObject([
      { id: second, finished: true },
      { id: third, finished: false, broken: "it was never finished" },
    ]);
    const latest = await machine.molva("backup", "verify", folder, "--json");
    expect(JSON.parse(latest.out)).toMatchObject({ ok: true, id: second });
  });
});

describe("a backup that breaks off", () => {
  const request = async (at: Place) => ({
    ...{
      databaseUrl: machine.database.url,
      place: at,
      secret: keys.MOLVA_BACKUP_KEY,
      molva: "0",
      now: new Date(),
    },
    schemas: schemasOf((await readMigrationSources()).migrations),
    files: (await machine.core()).storage,
    ...{ folders: fileFolders, namedFiles: [], keys: { needed: [], unreadable: 0 } },
  });

  it("leaves nothing when the disk is full", async () => {
    const folder = tempFolder("full");
    const disk = createStorage({ folder, urlBase: "", secret: "", clock: systemClock });
    let puts = 0;
    const full: Place = {
      ...{ name: "a full disk", prefix: "" },
      storage: {
        ...disk,
        async put(key, content, about) {
          if (++puts < 4) return disk.put(key, content, about);
          throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
            code: "ENOSPC",
            syscall: "write",
          });
        },
      },
    };
    await expect(takeBackup(await request(full))).rejects.toThrow(
      "No backup was made in a full disk: ENOSPC",
    );
    expect(await listBackups(full)).toEqual([]);
    expect(
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile()),
    ).toEqual([]);
  });

  it("is none when S3 dies in the middle", async () => {
    const credentials = { accessKeyId: "AKID", secretAccessKey: "secret" };
    const twin = await startS3Twin({ buckets: ["copies"], credentials });
    const s3 = { endpoint: twin.url, region: "us-east-1", bucket: "copies", pathStyle: true, ...credentials };
    const bucket = createStorage({ folder: "/nowhere", urlBase: "", secret: "", clock: systemClock, s3 });
    let puts = 0;
    const dying: Place = {
      ...{ name: "s3://copies", prefix: "" },
      storage: {
        ...bucket,
        async put(key, content, about) {
          if (++puts === 4) await twin.close();
          return bucket.put(key, content, about);
        },
      },
    };
    await expect(takeBackup(await request(dying))).rejects.toThrow(
      /No backup was made in s3:\/\/copies: .* does not answer/,
    );
    await bucket.close();
  });
});

describe("a damaged backup", () => {
  it.each<[string, (folder: string) => void, RegExp]>([
    [
      "cut off",
      (folder) => writeFileSync(part(folder, 3), readFileSync(part(folder, 3)).subarray(0, -1)),
      /Part 000003 is damaged: it has \d+ bytes instead of/,
    ],
    ["changed by a bit", (folder) => flip(part(folder, 2)), /Part 000002 is damaged or is another one/],
    ["without a part", (folder) => rmSync(part(folder, 5)), /Part 000005 is missing/],
    [
      "with two parts exchanged",
      (folder) => {
        renameSync(part(folder, 1), part(folder, 999));
        renameSync(part(folder, 2), part(folder, 1));
        renameSync(part(folder, 999), part(folder, 2));
      },
      /Part 00000[12] is damaged/,
    ],
    [
      "with a changed manifest",
      (folder) => flip(join(folder, id, "manifest.json"), 900),
      /manifest.* damaged or was changed/,
    ],
    [
      "with another moment in its manifest",
      (folder) => replace(join(folder, id, "manifest.json"), /"taken_at":"20/, '"taken_at":"19'),
      /manifest.* damaged or was changed/,
    ],
  ])("%s is refused by verify, and by restore before anything is written", async (_how, damage, says) => {
    const folder = copied();
    damage(folder);
    const verified = await machine.molva("backup", "verify", folder);
    expect(verified.code).toBe(1);
    expect(`${verified.out}\n${verified.err}`).toMatch(says);
    const empty = await emptyMachine();
    const restored = await empty.molva("restore", folder, "--yes");
    expect(restored.code).toBe(1);
    expect(restored.err).toMatch(says);
    expect(await hasNothing(empty.database)).toBe(true);
    expect(readdirSync(empty.home)).toEqual([]);
  });

  it("that holds a part of another backup is refused, too", async () => {
    const folder = copied();
    const { out } = await machine.molva("backup", folder, "--json");
    const other = JSON.parse(out).id;
    cpSync(join(folder, other, "parts", "000001"), part(folder, 1));
    const verified = await machine.molva("backup", "verify", folder, "--backup", id);
    expect(verified).toMatchObject({ code: 1, out: expect.stringContaining("Part 000001 is damaged") });
  });

  it("without encryption is found by its checksums", async () => {
    const folder = tempFolder("plain");
    const made = await machine
      .with({ MOLVA_BACKUP_KEY: "" })
      .molva("backup", folder, "--unencrypted", "--json");
    const plain = JSON.parse(made.out);
    expect(plain.encrypted).toBe(false);
    expect(await machine.molva("backup", "verify", folder, "--unencrypted")).toMatchObject({ code: 0 });
    flip(join(folder, plain.id, "parts", "000001"));
    expect(await machine.molva("backup", "verify", folder, "--unencrypted")).toMatchObject({
      code: 1,
      out: expect.stringContaining("Part 000001 is damaged"),
    });
  });
});

describe("molva restore", () => {
  it("brings back every row, job, sequence, partition and file, and everything sealed opens", async () => {
    const empty = await emptyMachine();
    const dry = await empty.molva("restore", place, "--dry-run");
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining("nothing was changed") });
    expect(await hasNothing(empty.database)).toBe(true);

    const { code, out, err } = await empty.molva("restore", place, "--yes");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("compared one by one");
    expect(out).toContain("open everything stored");
    const core = await empty.core();
    // Values of the key-value store are in no backup.
    const lasting = kept.filter(
      ({ store }) => !["accounts being connected", "Telegraph token of previews"].includes(store),
    );
    for (const { store, secret, read } of lasting) expect(await read(core), store).toBe(secret);
    await core.close();

    const { sql } = empty.database;
    const days = await sql`
      select tableoid::regclass::text as day from workspaces.events where ts < now() - interval '1 day' and action = 'received'`;
    expect(days.length).toBeGreaterThan(3);
    expect(days.map(({ day }) => day)).not.toContain("workspaces.events_rest");
    expect(await sql`select locked_by, attempts from graphile_worker._private_jobs`).toMatchObject([
      { locked_by: null },
    ]);
    const [before, after] = await Promise.all([machine.database.sql, sql].map(shapeOf));
    expect(after).toEqual(before);
    const [next] = await sql<[{ id: string }]>`
      select id from graphile_worker.add_job('any')`;
    expect(Number(next.id)).toBeGreaterThan(1);
  });

  it("asks first, and does nothing without an answer", async () => {
    const empty = await emptyMachine();
    expect(await empty.molva("restore", place)).toMatchObject({
      code: 2,
      err: expect.stringContaining("pass --yes"),
    });
    expect(await hasNothing(empty.database)).toBe(true);
  });

  it("refuses a database that has data, takes a migrated one that has none, and lets servers start at once with --resume", async () => {
    const used = await migratedMachine();
    const workspace = await aWorkspace(used.database.sql, { name: "Занято" });
    const refused = await used.molva("restore", place, "--yes");
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("has data already, in workspaces.workspaces"),
    });
    await used.database.sql`delete from workspaces.workspaces where workspace_id = ${workspace}`;
    expect(await used.molva("restore", place, "--yes", "--resume")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Servers may be started."),
    });
    expect(await used.database.sql`select * from molva.restored`).toEqual([]);
  });

  it("refuses a database on which a server runs, also one that starts meanwhile", async () => {
    const used = await migratedMachine();
    const stopFirst = { code: 1, err: expect.stringContaining("Stop every server first") };
    const server = await startedOn(used);
    expect(await used.molva("restore", place, "--yes")).toMatchObject(stopFirst);
    expect(await used.molva("restore", place, "--dry-run")).toMatchObject(stopFirst);
    await server.stop();

    const late = connect({ url: used.database.url, name: "molva api,jobs", max: 1 });
    onTestFinished(() => late.end());
    await expect(
      withSession(used.database.url, async (session) =>
        loadTables(session, {
          ...{ backup: await opened(place), prefilled, roles },
          schemas: schemasOf((await readMigrationSources()).migrations),
          note: async () => void (await late`select 1`),
        }),
      ),
    ).rejects.toThrow("Stop every server first");
    expect(await used.database.sql`select from workspaces.workspaces`).toHaveLength(0);
  });

  it("refuses an unencrypted backup while a key is set, unless told that it is ours", async () => {
    const folder = tempFolder("planted");
    await machine.molva("backup", folder, "--unencrypted");
    const refusal = {
      code: 1,
      err: expect.stringContaining("not encrypted although MOLVA_BACKUP_KEY is set"),
    };
    expect(await machine.molva("backup", "verify", folder)).toMatchObject(refusal);
    const empty = await migratedMachine();
    expect(await empty.molva("restore", folder, "--yes")).toMatchObject(refusal);
    expect(await empty.molva("restore", folder, "--yes", "--unencrypted")).toMatchObject({ code: 0 });
  });

  it("leaves files alone that are there already: since the backup they may be encrypted with another key", async () => {
    const [file] = await machine.database.sql<[{ storage_key: string }]>`
      select storage_key from delivery.payloads where storage_key is not null`;
    const empty = await migratedMachine();
    const core = await empty.core();
    onTestFinished(() => core.close());
    const later = Buffer.from("encrypted again");
    await core.storage.put(file.storage_key, later, { contentType: "application/octet-stream" });
    // The test's bytes are no ciphertext, which --without-keys forgives.
    expect(await empty.molva("restore", place, "--yes", "--without-keys")).toMatchObject({ code: 0 });
    const kept = await core.storage.get(file.storage_key);
    expect(kept && (await buffer(kept.body))).toEqual(later);
  });

  it("knows every table in which migrations and servers leave rows", async () => {
    const fresh = await migratedMachine();
    await (await startedOn(fresh)).stop();
    const filled: string[] = [];
    for (const { name } of await fresh.database.sql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname !~ '^pg_' and schemaname not in ('information_schema', 'molva', 'graphile_worker')`) {
      const [row] = await fresh.database.sql.unsafe(`select exists (select from ${name}) as any`);
      if (row?.any) filled.push(name);
    }
    expect(filled.sort()).toEqual([...prefilled].sort());
  });

  it("names the keys that are missing, of the backup and of what it holds", async () => {
    const empty = await migratedMachine();
    const other = await empty.with({ MOLVA_BACKUP_KEY: generateKey() }).molva("restore", place, "--yes");
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining("encrypted with another key") });
    const none = await empty.with({ MOLVA_BACKUP_KEY: "" }).molva("restore", place, "--yes");
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining("set MOLVA_BACKUP_KEY") });
    const strange = empty.with({ MOLVA_ENCRYPTION_KEYS: generateKey() });
    expect(await strange.molva("restore", place, "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("needs the encryption key"),
    });
    expect(await empty.database.sql`select from workspaces.workspaces`).toHaveLength(0);
    const without = await strange.molva("restore", place, "--yes", "--without-keys");
    expect(without).toMatchObject({ code: 0, out: expect.stringContaining("no key opens these") });
  });

  it("lets no server start until the database is released, because what was sent since would be sent again", async () => {
    const empty = await migratedMachine({ MOLVA_ENV: "development" });
    await empty.molva("restore", place, "--yes");
    for (const command of ["serve", "up"])
      expect(await empty.molva(command)).toMatchObject({
        code: 1,
        err: expect.stringContaining("is not released yet"),
      });
    expect(await empty.molva("restore", "release", "--paused")).toMatchObject({ code: 0 });
    const rows = await empty.database.sql`select distinct status from workspaces.workspaces`;
    expect(rows).toEqual([{ status: "paused" }]);
    expect(await empty.molva("restore", "release")).toMatchObject({
      code: 1,
      err: expect.stringContaining("nothing to release"),
    });
  });
});

describe("a backup of another release", () => {
  const taken = async (source: Machine, folder: string) =>
    takeBackup({
      ...{ databaseUrl: source.database.url, secret: keys.MOLVA_BACKUP_KEY, molva: "0.0.9", now: new Date() },
      place: {
        name: folder,
        prefix: "",
        storage: createStorage({ folder, urlBase: "", secret: "", clock: systemClock }),
      },
      schemas: schemasOf((await readMigrationSources()).migrations),
      files: (await source.core()).storage,
      ...{ folders: fileFolders, namedFiles: [], keys: { needed: [], unreadable: 0 } },
    });

  it("that is older is loaded into its own schema and then migrated", async () => {
    const sources = await readMigrationSources();
    // Without functions: those of this release need not fit an older schema.
    const old = { migrations: sources.migrations.slice(0, -1), functions: [] };
    const source = machineOn(await testDatabase({ empty: true }));
    onTestFinished(() => source.drop());
    await migrate(source.database.sql, old);
    await runWorkerMigrations(source.database.url);
    await aWorkspace(source.database.sql, { name: "Из старого выпуска" });
    const folder = tempFolder("older");
    await taken(source, folder);
    expect(await source.molva("backup", folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is behind this release"),
    });

    const empty = await emptyMachine();
    const { code, out } = await empty.molva("restore", folder, "--yes");
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("of an older release") });
    const { sql } = empty.database;
    expect(await sql`select name from workspaces.workspaces`).toEqual([{ name: "Из старого выпуска" }]);
    expect(await sql`select count(*)::int as applied from molva.migrations`).toEqual([
      { applied: sources.migrations.length },
    ]);
    expect(await sql`select backup from molva.restored`).toHaveLength(1);
    const migrated = await migratedMachine();
    expect(await shapeOf(sql)).toEqual(await shapeOf(migrated.database.sql));
  });

  it("that is newer is refused with the release that is needed", async () => {
    const source = await aMachine();
    onTestFinished(() => source.drop());
    await source.database
      .sql`insert into molva.migrations (number, name, checksum) values (9999, '9999_future', 'x')`;
    const folder = tempFolder("newer");
    await taken(source, folder);
    const empty = await emptyMachine();
    const { code, err } = await empty.molva("restore", folder, "--yes");
    expect(code).toBe(1);
    expect(err).toContain("of a newer Molva (0.0.9, with migration 9999_future)");
    expect(await hasNothing(empty.database)).toBe(true);
  });
});

describe("with S3", () => {
  it("files come from one bucket, the backup goes into another, and both come back", async () => {
    const credentials = { accessKeyId: "AKID", secretAccessKey: "secret" };
    const twin = await startS3Twin({ buckets: ["media", "copies", "new-media"], credentials });
    onTestFinished(() => twin.close());
    const settings = {
      ...{ S3_ENDPOINT: twin.url, S3_BUCKET: "media" },
      ...{ S3_ACCESS_KEY_ID: "AKID", S3_SECRET_ACCESS_KEY: "secret" },
    };
    const source = machine.with(settings);
    const core = await source.core();
    const key = "media/0198c0de-0000-7000-8000-000000000001/picture";
    await core.storage.put(key, Buffer.from("картинка"), { contentType: "image/png" });
    await core.close();
    const made = await source.molva("backup", "s3://copies/molva/daily", "--json");
    expect({ code: made.code, files: JSON.parse(made.out).files }).toEqual({ code: 0, files: 1 });
    const listed = await source.molva("backup", "list", "s3://copies/molva/daily", "--json");
    expect(JSON.parse(listed.out).items).toMatchObject([{ finished: true }]);
    expect(await source.molva("backup", "verify", "s3://copies/molva/daily")).toMatchObject({ code: 0 });

    const empty = await migratedMachine({ ...settings, S3_BUCKET: "new-media" });
    expect(await empty.molva("restore", "s3://copies/molva/daily", "--yes")).toMatchObject({ code: 0 });
    const restored = await empty.core();
    const object = await restored.storage.get(key);
    expect(object).toMatchObject({ contentType: "image/png", size: 16 });
    object?.body.destroy();
    await restored.close();
  });
});

/** A second host that nobody listens on. */
function withLostHost(url: string): string {
  const { shown = "" } = databaseAddress(url) ?? {};
  return url.replace(shown, `${shown},127.0.0.1:1`);
}

/** The server of a machine, with every role that needs no provider. */
async function startedOn({ database: { url }, environment }: Machine): Promise<System> {
  const config = configFrom(environment);
  const system = await createSystem({
    ...{ config, environment, databaseUrl: url, log: silentLog, twinsUrl: undefined },
    roles: ["api", "dispatcher", "monitor"],
  });
  await system.start();
  return system;
}

const opened = (folder: string) =>
  openBackup(
    {
      ...{ name: folder, prefix: "" },
      storage: createStorage({ folder, urlBase: "", secret: "", clock: systemClock }),
    },
    { secret: keys.MOLVA_BACKUP_KEY },
  );

function flip(path: string, at = 40): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

function replace(path: string, what: RegExp, by: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(what, by));
}

/** Constraints, triggers and functions, so that a restore leaves none behind. */
async function shapeOf(sql: Machine["database"]["sql"]): Promise<unknown> {
  const constraints = await sql`
    select conrelid::regclass::text as place, conname, pg_get_constraintdef(oid) as said from pg_constraint
    where connamespace::regnamespace::text !~ '^(pg_|information_schema)' and conrelid <> 0
      and not (conrelid in (select inhrelid from pg_inherits)) order by 1, 2, 3`;
  const triggers = await sql`
    select tgrelid::regclass::text as place, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`;
  const functions = await sql`select path, checksum from molva.functions order by 1`;
  return { constraints: [...constraints], triggers: [...triggers], functions: [...functions] };
}
