import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { run } from "../../../src/cli/main.ts";
import { createCore } from "../../../src/configured/index.ts";
import { aWorkspace } from "../../../src/delivery/testing/builders.ts";
import { systemClock as clock } from "../../../src/kernel/clock/index.ts";
import { createVault, generateKey } from "../../../src/kernel/crypto/index.ts";
import { connect, type Sql } from "../../../src/kernel/db/index.ts";
import { silentLog as log } from "../../../src/kernel/log/index.ts";
import { projectRoot } from "../../../src/kernel/paths/index.ts";
import { inspectStore, rotateStore } from "../../../src/kernel/sealed/index.ts";
import { configFrom, modules } from "../../../src/modules.ts";
import { type Core, placeOfSecret, storeSecret } from "../../../src/workspaces/index.ts";
import { builtScript } from "../../support/built-script.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { fillEveryStore, type Kept } from "../../support/every-store.ts";
import { forgottenSeals } from "../../support/sealed-columns.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { until } from "../../support/until.ts";
import { sealers } from "./sealers.ts";

const stores = modules.flatMap(({ sealed = [] }) => sealed);
const secrets = stores.find(({ name }) => name === "credentials and other secrets");
const [oldKey, newKey] = [generateKey(), generateKey()];
const [oldId] = createVault([oldKey]).keyIds;
const [newId] = createVault([newKey]).keyIds;

/** A database of its own with something in every store, under the old key. */
interface Place {
  readonly database: TestDatabase;
  readonly sql: Sql;
  readonly kept: readonly Kept[];
  core(...keys: string[]): Promise<Core>;
  molva(keys: readonly string[], ...args: string[]): Promise<{ code: number; out: string; err: string }>;
  drop(): Promise<void>;
}

describe("the registry of what is stored encrypted", () => {
  let place: Place;
  beforeAll(async () => {
    place = await aPlace();
  });
  afterAll(() => place?.drop());

  it("names each store once, and the fixtures fill every one of them", async () => {
    expect(new Set(stores.map(({ name }) => name)).size).toBe(stores.length);
    expect(place.kept.map(({ store }) => store).sort()).toEqual(stores.map(({ name }) => name).sort());
    const core = await place.core(oldKey);
    for (const store of stores)
      expect(await inspectStore(store, core), store.name).toMatchObject({ rows: 1, unreadable: 0 });
  });

  it("covers every column, path and key of the database in which a token is found", async () => {
    expect(await forgottenSeals(place.sql, stores)).toEqual([]);
  });

  it("would be found wanting: without a store, its column, path or key is named", async () => {
    const without = (name: string) =>
      forgottenSeals(
        place.sql,
        stores.filter((store) => store.name !== name),
      );
    expect(await without("proxies of accounts")).toEqual(["accounts.proxies.address"]);
    expect(await without("typed to SEO Master's bot: vk token")).toEqual(["dialogs.dialogues.data.vk.token"]);
    expect(await without("Telegraph token of previews")).toEqual(["molva.kv.value"]);
  });

  it("knows every place in the sources that encrypts", () => {
    const source = join(projectRoot, "src");
    const found = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter(
        (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !/\/(testing|crypto)\//.test(file),
      )
      .filter((file) => /\bvault\.encrypt\(/.test(readFileSync(join(source, file), "utf8")));
    expect(found.sort()).toEqual(Object.keys(sealers).sort());
    const named = new Set(
      Object.values(sealers).flatMap((sealer) => ("stores" in sealer ? sealer.stores : [])),
    );
    expect([...named].sort()).toEqual(stores.map(({ name }) => name).sort());
  });
});

describe("molva secrets rotate", () => {
  let place: Place;
  beforeAll(async () => {
    place = await aPlace();
  });
  afterAll(() => place?.drop());

  it("counts with --dry-run what each key opens, and changes nothing", async () => {
    const before = await tokensOf(place.sql);
    const { code, out } = await place.molva([newKey, oldKey], "secrets", "rotate", "--dry-run", "--json");
    expect(code).toBe(0);
    const said = JSON.parse(out);
    expect(said).toMatchObject({ ok: true, keys: [newId, oldId], unused: [] });
    expect(said.stores).toHaveLength(stores.length);
    for (const store of said.stores)
      expect(store).toMatchObject({ rows: 1, by_key: { [newId]: 0, [oldId]: 1 }, unreadable: 0 });
    expect(await tokensOf(place.sql)).toEqual(before);
  });

  it("has the doctor say which stores still need the old key", async () => {
    const { out } = await place.molva([newKey, oldKey], "doctor");
    expect(out).toContain(`key 2 (${oldId}) is needed for ${stores.length} rows`);
    expect(out).toContain("run `molva secrets rotate`");
  });

  it("encrypts every store with the first key: without the old one, all of it is read", async () => {
    const { code, out } = await place.molva([newKey, oldKey], "secrets", "rotate");
    expect(code).toBe(0);
    expect(out).toContain(`Everything is encrypted with key 1 (${newId})`);
    const core = await place.core(newKey);
    for (const { store, secret, read } of place.kept) expect(await read(core), store).toBe(secret);
  });

  it("changes nothing when it is repeated", async () => {
    const before = await tokensOf(place.sql);
    const { code, out } = await place.molva([newKey, oldKey], "secrets", "rotate", "--json");
    expect(code).toBe(0);
    for (const store of JSON.parse(out).stores)
      expect(store).toMatchObject({ rows: 1, rotated: 0, left: 0, unreadable: 0 });
    expect(await tokensOf(place.sql)).toEqual(before);
  });

  it("has the doctor say that nothing uses the old key any more", async () => {
    const { out } = await place.molva([newKey, oldKey], "doctor");
    expect(out).toContain(`key 2 (${oldId}) is used by nothing and may be removed`);
  });

  it("counts and names what no key opens, never its content, and fails; the doctor says what to do", async () => {
    const rows = await tokensOf(place.sql);
    const { code, out, err } = await place.molva([oldKey], "secrets", "rotate");
    expect(code).toBe(1);
    const [secret] = await place.sql<[{ id: string }]>`
      select workspace_id || '/' || secret_id as id from workspaces.secrets`;
    expect(out).toContain(`unreadable: credentials and other secrets: ${secret.id}`);
    expect(err).toContain(`No key opens ${stores.length} rows`);
    for (const token of rows) expect(out).not.toContain(token);
    expect(await tokensOf(place.sql)).toEqual(rows);

    const doctor = await place.molva([oldKey], "doctor");
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain("✗ encryption keys: no key opens these");
    expect(doctor.out).toContain(
      "sessions of accounts: 1 of 1; if the key is lost, sign these accounts in again",
    );
  });
});

describe("beside others", () => {
  it("a write that comes between reading and writing is kept, and encrypted again itself", async () => {
    const place = await aPlace();
    onTestFinished(() => place.drop());
    const { sql } = place;
    const [row] = await sql<[{ workspace_id: string; secret_id: string }]>`
      select workspace_id, secret_id from workspaces.secrets`;
    const at = placeOfSecret(row.workspace_id, row.secret_id);
    const writer = connect({ url: place.database.url, max: 1 });
    let rotating: ReturnType<Place["molva"]> | undefined;
    await writer.begin(async (tx) => {
      const fresh = createVault([oldKey]).encrypt("записано другим", at);
      await tx`update workspaces.secrets set ciphertext = ${fresh} where secret_id = ${row.secret_id}`;
      rotating = place.molva([newKey, oldKey], "secrets", "rotate", "--json");
      await until("the rotation waits for the writer", () => isWaiting(sql));
    });
    await writer.end();
    expect((await rotating)?.code).toBe(0);
    const [stored] = await sql<[{ ciphertext: string }]>`select ciphertext from workspaces.secrets`;
    expect(createVault([newKey]).decrypt(stored.ciphertext, at)).toBe("записано другим");
  });

  it("a server that still writes with the old key is told of, and another run is needed", async () => {
    const place = await aPlace();
    onTestFinished(() => place.drop());
    // Whatever is written is replaced at once by a token of the old key, as a process would that knows no other.
    const old = createVault([oldKey]);
    const core = await place.core(newKey, oldKey);
    if (secrets?.kind !== "column") throw new Error("secrets are in a table");
    const sql = writingBack(place.sql, async () => {
      const [row] = await place.sql<[{ workspace_id: string; secret_id: string }]>`
        select workspace_id, secret_id from workspaces.secrets`;
      const fresh = old.encrypt("снова старым", placeOfSecret(row.workspace_id, row.secret_id));
      await place.sql`update workspaces.secrets set ciphertext = ${fresh}`;
    });
    expect(await rotateStore(secrets, { ...core, sql })).toMatchObject({ rows: 1, rotated: 3, left: 1 });
    expect(await rotateStore(secrets, core)).toMatchObject({ rows: 1, rotated: 1, left: 0 });
  });

  it("a payload that is about to be removed is left alone, so that no file comes back", async () => {
    const place = await aPlace();
    onTestFinished(() => place.drop());
    await place.sql`update delivery.payloads set expires_at = now() + interval '1 minute'`;
    const core = await place.core(newKey, oldKey);
    const payloads = stores.find(({ name }) => name === "raw payloads");
    expect(payloads && (await rotateStore(payloads, core))).toMatchObject({ rows: 0, rotated: 0, left: 0 });

    // Its row is gone between reading and writing: nothing is written.
    await place.sql`update delivery.payloads set expires_at = now() + interval '1 day'`;
    const [{ storage_key: key }] = await place.sql<[{ storage_key: string }]>`
      select storage_key from delivery.payloads`;
    const storage: Core["storage"] = {
      ...core.storage,
      async get(file) {
        const found = await core.storage.get(file);
        await core.storage.delete(file);
        await place.sql`delete from delivery.payloads`;
        return found;
      },
    };
    expect(payloads && (await rotateStore(payloads, { ...core, storage }))).toMatchObject({
      rotated: 0,
      left: 0,
    });
    expect(await core.storage.head(key)).toBeUndefined();
  });

  it("killed in the middle, it goes on where it was", async () => {
    const place = await aPlace();
    onTestFinished(() => place.drop());
    const { sql, database } = place;
    const workspaceId = await aWorkspace(sql, { name: "Много секретов" });
    const vault = createVault([oldKey]);
    for (let n = 0; n < 40; n++) await storeSecret(sql, vault, workspaceId, `секрет ${n}`, clock.now());
    const rows = await sql<{ secret_id: string }[]>`
      select secret_id from workspaces.secrets order by workspace_id, secret_id`;
    const middle = rows[20]?.secret_id ?? "";

    const holder = connect({ url: database.url, max: 1 });
    await holder.begin(async (tx) => {
      await tx`select from workspaces.secrets where secret_id = ${middle} for update`;
      const child = fork(await builtScript(join(projectRoot, "tests/support/rotating-process.ts")), {
        execArgv: [],
        env: {
          ...process.env,
          ROTATING_DATABASE_URL: database.url,
          ROTATING_KEYS: `${newKey},${oldKey}`,
          ROTATING_HOME: tempFolder("rotating"),
        },
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      await until("the process is in the middle", () => isWaiting(sql));
      child.kill("SIGKILL");
      await once(child, "exit");
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rotating'`;
    });
    await holder.end();
    expect(await underKey(place, newId)).toBe(20);

    const { code, out } = await place.molva([newKey, oldKey], "secrets", "rotate", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out).stores).toContainEqual(
      expect.objectContaining({ store: secrets?.name, rows: 41, rotated: 21, unreadable: 0 }),
    );
    expect(await underKey(place, newId)).toBe(41);
  });
});

/** The same database; after each update that a rotation makes, somebody else writes. */
function writingBack(sql: Sql, write: () => Promise<void>): Sql {
  return new Proxy(sql, {
    get(target, name) {
      if (name !== "unsafe") return Reflect.get(target, name);
      return async (query: string, values: string[]) => {
        const result = await target.unsafe(query, values);
        if (query.startsWith("update")) await write();
        return result;
      };
    },
  });
}

async function underKey(place: Place, id: string): Promise<number> {
  const found = secrets && (await inspectStore(secrets, await place.core(newKey, oldKey)));
  return found?.byKey[id] ?? 0;
}

async function isWaiting(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ waiting: boolean }]>`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'update workspaces.secrets%'
    ) as waiting`;
  return row.waiting;
}

/** Every token in the tables, to compare and to look for in what was printed. */
async function tokensOf(sql: Sql): Promise<string[]> {
  const rows = await sql<{ token: string }[]>`
    select ciphertext as token from workspaces.secrets
    union all select value from accounts.session_values
    union all select address from accounts.proxies
    union all select code_hash from accounts.login_attempts
    union all select data #>> '{vk,token}' from dialogs.dialogues
    union all select value from molva.kv where key like 'seo:%' or key like '%_auth:%'
    order by 1`;
  return rows.map(({ token }) => token);
}

async function aPlace(): Promise<Place> {
  const database = await testDatabase();
  const { sql, url: databaseUrl } = database;
  const home = tempFolder("rotate");
  const environment = (keys: readonly string[]) => ({
    MOLVA_HOME: home,
    DATABASE_URL: databaseUrl,
    MOLVA_ENCRYPTION_KEYS: keys.join(","),
    MOLVA_PORT: "0",
    MOLVA_TWIN_PORT: "0",
  });
  const cores: (Core & { close(): Promise<void> })[] = [];
  const core = async (...keys: string[]) => {
    const given = environment(keys);
    const made = await createCore({
      ...{ config: configFrom(given), environment: given, twinsUrl: undefined, sql, databaseUrl, clock, log },
    });
    cores.push(made);
    return made;
  };
  return {
    ...{ database, sql, core, kept: await fillEveryStore(await core(oldKey)) },
    async molva(keys, ...args) {
      const out: string[] = [];
      const err: string[] = [];
      const world = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
      const code = await run(args, { ...world, environment: environment(keys), isTerminal: false });
      return { code, out: out.join("\n"), err: err.join("\n") };
    },
    async drop() {
      for (const one of cores) await one.close();
      await database.drop();
    },
  };
}
