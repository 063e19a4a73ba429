import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generateKey } from "../crypto/index.ts";
import {
  ConfigError,
  loadConfig,
  readEnvironment,
  secretsIn,
  settingGroup,
  settingsOf,
  wholeNumber,
} from "./index.ts";

const key = generateKey();

const production = {
  MOLVA_ENV: "production",
  DATABASE_URL: "postgres://localhost/m",
  MOLVA_ENCRYPTION_KEYS: key,
  MOLVA_PUBLIC_URL: "https://molva.example.com",
};

function errorsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
}

it("needs nothing to be set", () => {
  expect(loadConfig({})).toMatchObject({
    MOLVA_ENV: "demo",
    MOLVA_HOST: "127.0.0.1",
    MOLVA_PORT: 8080,
    MOLVA_TWIN_PORT: 8090,
    DATABASE_URL: undefined,
  });
});

it("lists every error at once and names what is wrong", () => {
  const errors = errorsOf({
    MOLVA_PORT: "eighty",
    MOLVA_ENV: "prod",
    DATABASE_URL: "mysql://x",
    MOLVA_TRUST_PROXY: "maybe",
  });
  expect(errors).toEqual([
    'MOLVA_ENV must be one of demo, development, production, but is "prod"',
    'MOLVA_PORT must be a whole number from 0 to 65535, but is "eighty"',
    expect.stringMatching(/^MOLVA_TRUST_PROXY must be the number of proxies in front .*, but is "maybe"$/),
    "DATABASE_URL must be an address that starts with postgres:// or postgresql://",
  ]);
});

it("takes trusted proxies as a number of hops or as networks, and never as a plain yes", () => {
  const trusted = (text: string) => loadConfig({ MOLVA_TRUST_PROXY: text }).MOLVA_TRUST_PROXY;
  expect(loadConfig({}).MOLVA_TRUST_PROXY).toBe(0);
  expect(trusted("no")).toBe(0);
  expect(trusted("2")).toBe(2);
  expect(trusted("10.0.0.0/8, 192.0.2.7,2001:db8::/32, Loopback")).toEqual([
    "10.0.0.0/8",
    "192.0.2.7",
    "2001:db8::/32",
    "loopback",
  ]);
  for (const bad of [
    "true",
    "yes",
    "-1",
    "10",
    "0.0.0.0/0",
    "10.0.0.0/33",
    "::/0",
    "proxy.example",
    "10.0.0.1,",
  ])
    expect([bad, errorsOf({ MOLVA_TRUST_PROXY: bad }).length]).toEqual([bad, 1]);
});

it("takes several hosts of one database, and only those that can be written to", () => {
  const several = "postgres://me:hunter2@db1:5432,db2:5432/molva?target_session_attrs=read-write";
  const config = loadConfig({ DATABASE_URL: several });
  expect(config.DATABASE_URL).toBe(several);
  expect(secretsIn(config, [], {})).toEqual([several]);
  expect(secretsIn(loadConfig({ DATABASE_URL: several.replace("hunter2", "hunter%2242") }), [], {})).toEqual(
    expect.arrayContaining(['hunter"42', "hunter%2242"]),
  );
  for (const bad of [several.replace("read-write", "standby"), several.replace("5432,", "five,")])
    expect(errorsOf({ DATABASE_URL: bad })).toEqual([
      expect.stringContaining("several host:port are separated"),
    ]);
});

it("never repeats a secret in an error", () => {
  const errors = errorsOf({ MOLVA_ENCRYPTION_KEYS: "hunter2", REDIS_URL: "hunter2" });
  expect(errors).toHaveLength(2);
  expect(errors.join()).not.toContain("hunter2");
});

it("makes nothing up in production", () => {
  expect(errorsOf({ MOLVA_ENV: "production" }).map((error) => error.split(" ")[0])).toEqual([
    "DATABASE_URL",
    "MOLVA_ENCRYPTION_KEYS",
    "MOLVA_PUBLIC_URL",
  ]);
  expect(errorsOf(production)).toEqual([]);
});

it("asks production for an https public address", () => {
  expect(errorsOf({ ...production, MOLVA_PUBLIC_URL: "http://molva.example.com" })).toEqual([
    expect.stringContaining("MOLVA_PUBLIC_URL must be set to an https:// address"),
  ]);
});

it("refuses a key that anybody can read in the sources", () => {
  expect(errorsOf({ ...production, MOLVA_ENCRYPTION_KEYS: `${key},${"A".repeat(43)}=` })).toEqual([
    expect.stringContaining("MOLVA_ENCRYPTION_KEYS holds a key that anybody can read"),
  ]);
});

it("treats a blank value as absent and trims the rest", () => {
  expect(loadConfig({ MOLVA_PORT: " ", MOLVA_HOST: " 0.0.0.0 " })).toMatchObject({
    MOLVA_PORT: 8080,
    MOLVA_HOST: "0.0.0.0",
  });
});

it("takes a secret from a file, but not from both places", () => {
  const file = join(mkdtempSync(join(tmpdir(), "molva-config-")), "url");
  writeFileSync(file, "postgres://db/molva\n");
  expect(loadConfig({ DATABASE_URL_FILE: file }).DATABASE_URL).toBe("postgres://db/molva");
  expect(errorsOf({ DATABASE_URL_FILE: file, DATABASE_URL: "postgres://other/molva" })).toEqual([
    "DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them",
  ]);
  expect(errorsOf({ DATABASE_URL_FILE: `${file}.missing` })[0]).toContain("cannot be read");
});

it("asks for the rest of S3 when its endpoint is given", () => {
  expect(errorsOf({ S3_ENDPOINT: "https://s3.example.com" })).toHaveLength(3);
});

it("reads .env from the folder it is started in, below the real environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "molva-env-"));
  writeFileSync(join(folder, ".env"), "MOLVA_PORT=9000\nMOLVA_HOST=0.0.0.0\n");
  const environment = readEnvironment(folder, { MOLVA_PORT: "9001" });
  expect(loadConfig(environment)).toMatchObject({ MOLVA_PORT: 9001, MOLVA_HOST: "0.0.0.0" });
});

const about = { en: "", ru: "" };
const sizes = settingGroup(
  {
    LEAST: { group: "Sizes", about, schema: wholeNumber(1, 9), fallback: 2 },
    MOST: { group: "Sizes", about, schema: wholeNumber(1, 9) },
  },
  ({ LEAST, MOST }) => (MOST !== undefined && MOST < LEAST ? ["MOST is less than LEAST"] : []),
);

it("reads what a module adds, and lists its errors with the others", () => {
  const config = loadConfig({ MOST: "7" }, [sizes]);
  expect(settingsOf({ config }, sizes)).toEqual({ LEAST: 2, MOST: 7 });
  expect(() => loadConfig({ MOST: "1" }, [sizes])).toThrow("MOST is less than LEAST");
  expect(() => loadConfig({ MOST: "ten", MOLVA_PORT: "eighty" }, [sizes])).toThrow("2 errors");
});

it("does not make up the settings of a module that it was loaded without", () => {
  expect(() => settingsOf({ config: loadConfig({}) }, sizes)).toThrow("loaded without LEAST, MOST");
});
