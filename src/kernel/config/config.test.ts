import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generateKey } from "../crypto/index.ts";
import { ConfigError, loadConfig, readEnvironment } from "./index.ts";

const key = generateKey();

const production = {
  MOLVA_ENV: "production",
  DATABASE_URL: "postgres://localhost/m",
  MOLVA_ENCRYPTION_KEYS: key,
  MOLVA_PUBLIC_URL: "https://molva.example.com",
};

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
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
    MAX_API_ROOT: "https://platform-api2.max.ru",
    DATABASE_URL: undefined,
  });
});

it("lists every fault at once and names what is wrong", () => {
  const faults = faultsOf({
    MOLVA_PORT: "eighty",
    MOLVA_ENV: "prod",
    DATABASE_URL: "mysql://x",
    MOLVA_TRUST_PROXY: "maybe",
  });
  expect(faults).toEqual([
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
    expect([bad, faultsOf({ MOLVA_TRUST_PROXY: bad }).length]).toEqual([bad, 1]);
});

it("takes an upload policy by kind of file, and refuses what MAX cannot do", () => {
  expect(
    loadConfig({ MAX_UPLOAD_POLICY: "image=url_allowed, video=upload_required" }).MAX_UPLOAD_POLICY,
  ).toEqual({
    image: "url_allowed",
    video: "upload_required",
    audio: "upload_required",
    file: "upload_required",
  });
  expect(faultsOf({ MAX_UPLOAD_POLICY: "video=url_allowed" })).toEqual([
    expect.stringContaining("MAX fetches only images by itself"),
  ]);
  expect(faultsOf({ MAX_UPLOAD_POLICY: "photo=url_allowed" })).toEqual([
    expect.stringContaining("must be pairs such as image=url_allowed"),
  ]);
});

it("never repeats a secret in a fault", () => {
  const faults = faultsOf({ MOLVA_ENCRYPTION_KEYS: "hunter2", REDIS_URL: "hunter2" });
  expect(faults).toHaveLength(2);
  expect(faults.join()).not.toContain("hunter2");
});

it("makes nothing up in production", () => {
  expect(faultsOf({ MOLVA_ENV: "production" }).map((fault) => fault.split(" ")[0])).toEqual([
    "DATABASE_URL",
    "MOLVA_ENCRYPTION_KEYS",
    "MOLVA_PUBLIC_URL",
  ]);
  expect(faultsOf(production)).toEqual([]);
});

it("asks production for an https public address", () => {
  expect(faultsOf({ ...production, MOLVA_PUBLIC_URL: "http://molva.example.com" })).toEqual([
    expect.stringContaining("MOLVA_PUBLIC_URL must be set to an https:// address"),
  ]);
});

it("refuses secrets that anybody can read in the documents, except in a demo on loopback", () => {
  const published = { BOT_BACKEND_TOKEN: "molva-demo-advisor-token" };
  expect(faultsOf({ ...published, MOLVA_HOST: "127.0.0.1" })).toEqual([]);
  for (const elsewhere of [production, { MOLVA_ENV: "development" }, { MOLVA_HOST: "0.0.0.0" }])
    expect(faultsOf({ ...elsewhere, ...published })).toEqual([
      expect.stringContaining("BOT_BACKEND_TOKEN is the demo's"),
    ]);
  expect(faultsOf({ ...production, MOLVA_ENCRYPTION_KEYS: `${key},${"A".repeat(43)}=` })).toEqual([
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
  expect(faultsOf({ DATABASE_URL_FILE: file, DATABASE_URL: "postgres://other/molva" })).toEqual([
    "DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them",
  ]);
  expect(faultsOf({ DATABASE_URL_FILE: `${file}.missing` })[0]).toContain("cannot be read");
});

it("asks for the rest of S3 when its endpoint is given", () => {
  expect(faultsOf({ S3_ENDPOINT: "https://s3.example.com" })).toHaveLength(3);
});

it("reads .env from the folder it is started in, below the real environment", () => {
  const folder = mkdtempSync(join(tmpdir(), "molva-env-"));
  writeFileSync(join(folder, ".env"), "MOLVA_PORT=9000\nMOLVA_HOST=0.0.0.0\n");
  const environment = readEnvironment(folder, { MOLVA_PORT: "9001" });
  expect(loadConfig(environment)).toMatchObject({ MOLVA_PORT: 9001, MOLVA_HOST: "0.0.0.0" });
});
