import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { generateKey } from "../../src/kernel/crypto/index.ts";
import { connect, type Sql } from "../../src/kernel/db/index.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { configFrom } from "../../src/modules.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { type Image, layOutImage } from "../support/image.ts";
import { freePorts } from "../support/molva.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

/** The image as compose starts it: first `migrate` as the owner of the database, then `serve` as a role that owns nothing. */
const role = `molva_app_${randomBytes(4).toString("hex")}`;
let image: Image;
let database: TestDatabase;
let application: Sql;
let settings: Record<string, string>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  image = layOutImage();
  database = await testDatabase({ empty: true });
  const url = new URL(database.url);
  Object.assign(url, { username: role, password: "p%2Fw" });
  const { port } = await freePorts();
  settings = {
    ...image.environment,
    PATH: process.env.PATH ?? "",
    DATABASE_URL: url.href,
    MOLVA_ENCRYPTION_KEYS: generateKey(),
    MOLVA_PUBLIC_URL: "https://molva.example.com",
    // The image's own port may be taken on this machine.
    MOLVA_HOST: "127.0.0.1",
    MOLVA_PORT: String(port),
    MOLVA_HOME: tempFolder("image-home"),
  };
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await application?.end();
  await database.sql.unsafe(`drop owned by ${role}`);
  await database.sql.unsafe(`drop role ${role}`);
  await database.drop();
});

/** Runs a program in the image's folder. */
function start([program = "", ...args]: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(program === "node" ? process.execPath : program, args, {
    cwd: image.folder,
    env: { ...settings, ...more },
  });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => (output += part));
  return { child, output: () => output, ended: once(child, "close").then(([code]) => code) };
}

async function ran(command: readonly string[], more?: Record<string, string>): Promise<string> {
  const running = start(command, more);
  const code = await running.ended;
  if (code !== 0) throw new Error(`ended with ${code}: ${running.output()}`);
  return running.output();
}

describe("the image", { timeout: 300_000 }, () => {
  it("has everything that --version, migrate and serve need, and is ready by its own health check", async () => {
    expect(await ran([...image.entrypoint, "--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
    const owner = { DATABASE_OWNER_URL: database.url };
    expect(await ran([...image.entrypoint, "migrate"], owner)).toContain("applied  0001_molva");
    expect(await ran([...image.entrypoint, "migrate"], owner)).toContain("up to date");

    const serving = start([...image.entrypoint, ...image.command]);
    await until(
      "it is ready",
      () => serving.output().includes("molva is ready") || serving.child.exitCode !== null,
      60_000,
    );
    expect(serving.output()).toContain("molva is ready");
    await ran(image.healthcheck);
    serving.child.kill("SIGTERM");
    expect(await serving.ended).toBe(0);
    const errors = serving
      .output()
      .split("\n")
      .filter((line) => /"level":(50|60)|permission denied/.test(line));
    expect(errors).toEqual([]);
  });

  it("serves as a role that may neither change nor drop what the owner made, nor say which release it is", async () => {
    application = connect({ url: settings.DATABASE_URL ?? "", max: 1 });
    await application`insert into workspaces.workspaces (name) values ('Чужое место')`;
    expect(await application`select name from workspaces.workspaces where name = 'Чужое место'`).toHaveLength(
      1,
    );
    for (const statement of [
      "drop table delivery.deliveries",
      "alter table delivery.deliveries add column more text",
      "alter table delivery.deliveries disable trigger all",
      "alter table delivery.deliveries disable row level security",
      "truncate workspaces.events",
      "create table delivery.mine (a int)",
      "create or replace function workspaces.redact(p jsonb) returns jsonb language sql as 'select p'",
      "drop schema delivery cascade",
      "delete from molva.migrations",
      "create role another",
      "set role postgres",
    ])
      await expect(application.unsafe(statement), statement).rejects.toThrow(
        /must be owner|permission denied|must be able to SET ROLE|does not exist/,
      );
    const owned = await database.sql`select from pg_class where relowner = ${role}::regrole`;
    expect(owned).toHaveLength(0);
  });

  it("lets that role make and drop days of events, which is work of every day", async () => {
    const ahead = new Date(Date.now() + 30 * 86_400_000);
    const [made] = await application`select workspaces.ensure_event_partitions(1, ${ahead}) as days`;
    expect(made?.days).toBeGreaterThan(0);
    const [name] =
      await application`select delivery.retention_event_partitions(${new Date(Date.now() + 4e11)}) as day`;
    expect(
      await application`select delivery.retention_drop_partition(${name?.day}, ${new Date(Date.now() + 4e11)}) as gone`,
    ).toEqual([{ gone: true }]);
    expect(
      await application`select delivery.retention_drop_partition('deliveries', ${new Date(Date.now() + 4e11)}) as gone`,
    ).toEqual([{ gone: false }]);
  });
});

describe("compose.yaml", () => {
  const text = readFileSync(join(projectRoot, "compose.yaml"), "utf8");
  const compose = parse(text, { merge: true });

  it("passes .env on, and the owner's password only to who migrates", () => {
    for (const name of ["migrate", "molva"]) expect(compose.services[name].env_file).toEqual([".env"]);
    const { migrate, molva } = compose.services;
    expect(migrate.environment.DATABASE_OWNER_URL).toContain("POSTGRES_PASSWORD");
    expect(molva.environment).toMatchObject({ DATABASE_OWNER_URL: "", POSTGRES_PASSWORD: "" });
    expect(molva.environment.DATABASE_URL).not.toContain("POSTGRES_PASSWORD");
    expect(readFileSync(join(projectRoot, ".dockerignore"), "utf8").split("\n")).toContain(".env");
  });

  it("needs no more in .env than its first lines name, for a configuration that production accepts", () => {
    const named = [...text.matchAll(/^# {3}([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    const file = Object.fromEntries(named.map((name) => [name, "secret"]));
    file.MOLVA_ENCRYPTION_KEYS = generateKey();
    file.MOLVA_PUBLIC_URL = "https://molva.example.com";
    const environment = Object.entries<string>(compose.services.molva.environment).map(([name, value]) => [
      name,
      value.replace(/\$\{([A-Z_]+)[^}]*\}/g, (_, variable) => file[variable] ?? `(${variable} is missing)`),
    ]);
    const config = configFrom({ MOLVA_ENV: "production", ...file, ...Object.fromEntries(environment) });
    expect(config.DATABASE_URL).toBe("postgres://molva_app:secret@postgres:5432/molva");
    expect(config.DATABASE_OWNER_URL).toBeUndefined();
  });

  it("takes from every container what it does not need", () => {
    for (const service of Object.values<Record<string, unknown>>(compose.services))
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      });
    const images = [...text.matchAll(/:-([^}]+)\}/g)].map(([, name]) => name);
    expect(images).toEqual([
      expect.stringMatching(/^node:\d+\.\d+\.\d+-/),
      expect.stringMatching(/^postgres:\d+\.\d+$/),
    ]);
  });
});
