import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type S3Twin, startS3Twin } from "../../../twins/s3/index.ts";
import { manualClock, systemClock } from "../clock/index.ts";
import { createStorage, type ObjectStorage } from "./index.ts";
import { objectStorageContract } from "./object-storage.contract.ts";
import { createS3Storage, type S3Settings } from "./s3-storage.ts";

const credentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
let twin: S3Twin;
let settings: S3Settings;
let storage: ObjectStorage;

beforeAll(async () => {
  twin = await startS3Twin({ buckets: ["molva-media"], credentials, region: "ru-central1", pageSize: 3 });
  settings = {
    endpoint: twin.url,
    region: "ru-central1",
    bucket: "molva-media",
    pathStyle: true,
    clock: systemClock,
    ...credentials,
  };
  storage = createStorage({ folder: "/nowhere", urlBase: "", secret: "", clock: systemClock, s3: settings });
});
afterAll(async () => {
  await storage.close();
  await twin.close();
});

const put = (to: ObjectStorage, key = "a") => to.put(key, Buffer.from("x"), { contentType: "text/plain" });

describe("a server that does not end", () => {
  it.each([
    ["its listing is given up in time", { questionMs: 50 }, "Unreachable", "<"],
    ["too large a listing is not held", { answerBytes: 1_000 }, "TooLarge", "x".repeat(2_000)],
  ])("%s", async (_case, given, code, body) => {
    const server = createServer((_request, response) => void response.writeHead(200).write(body));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const endless = createS3Storage({ ...settings, endpoint: `http://127.0.0.1:${port}`, limits: given });
    onTestFinished(async () => {
      await endless.close();
      server.closeAllConnections();
      server.close();
    });
    const listing = async () => {
      for await (const _object of endless.list("")) return;
    };
    await expect(listing()).rejects.toMatchObject({ code });
  });
});

describe("objects on an S3-compatible server", () => {
  objectStorageContract(() => storage);

  it("are listed over several pages", async () => {
    const keys = Array.from({ length: 10 }, (_, index) => `pages/${index}`);
    await Promise.all(keys.map((key) => put(storage, key)));
    const before = twin.requests();
    const found = [];
    for await (const { key } of storage.list("pages/")) found.push(key);
    expect(found).toEqual(keys);
    expect(twin.requests() - before).toBe(4);
  });

  it("leave nothing on this machine's disk after a stream was uploaded", async () => {
    const folder = await mkdtemp(join(tmpdir(), "molva-test-"));
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    });
    await storage.put("streamed", Readable.from([Buffer.from("x")]), { contentType: "text/plain" });
    expect(await readdir(folder)).toEqual([]);
  });

  it("are asked for again when the server is busy, up to three times", async () => {
    twin.slowDown(2);
    await put(storage, "patient");
    expect(await storage.head("patient")).toMatchObject({ size: 1 });
    twin.slowDown(3);
    await expect(put(storage, "patient")).rejects.toMatchObject({ code: "SlowDown" });
  });
});

describe("a server that never answers", () => {
  it("is given up", async () => {
    const hasty = createS3Storage({ ...settings, limits: { silenceMs: 50, pausesMs: [] } });
    onTestFinished(() => hasty.close());
    twin.hang(1);
    await expect(put(hasty)).rejects.toMatchObject({ code: "Unreachable" });
    await put(hasty);
  });
});

describe("a server that says no", () => {
  it.each([
    ["NoSuchBucket", { bucket: "another-bucket" }],
    ["InvalidAccessKeyId", { accessKeyId: "AKIDOTHER" }],
    ["SignatureDoesNotMatch", { secretAccessKey: "wrong" }],
    ["AuthorizationHeaderMalformed", { region: "us-east-1" }],
    ["RequestTimeTooSkewed", { clock: manualClock(new Date(Date.now() - 16 * 60_000)) }],
  ])("is quoted: %s", async (code, wrong) => {
    const misconfigured = createS3Storage({ ...settings, ...wrong });
    await expect(put(misconfigured)).rejects.toMatchObject({ name: "StorageError", code });
    await expect(misconfigured.get("a")).rejects.toMatchObject({ code });
    await expect(async () => {
      for await (const _ of misconfigured.list(""));
    }).rejects.toMatchObject({ code });
    await misconfigured.close();
  });

  it("is told from one that is not there", async () => {
    const nowhere = createS3Storage({ ...settings, endpoint: "http://127.0.0.1:1" });
    await expect(nowhere.get("a")).rejects.toMatchObject({ code: "Unreachable" });
  });
});

describe("a presigned address", () => {
  it("is read by anyone until it expires", async () => {
    await storage.put("shared/photo.txt", Buffer.from("для всех"), { contentType: "text/plain" });
    const url = await storage.signedUrl("shared/photo.txt", { expiresInMs: 60_000 });
    expect(await (await fetch(url)).text()).toBe("для всех");

    const old = createS3Storage({ ...settings, clock: manualClock(new Date(Date.now() - 120_000)) });
    const expired = await fetch(await old.signedUrl("shared/photo.txt", { expiresInMs: 60_000 }));
    expect(expired.status).toBe(403);
    expect(await expired.text()).toContain("Request has expired");
  });

  it("opens no other key", async () => {
    const url = await storage.signedUrl("shared/photo.txt", { expiresInMs: 60_000 });
    const other = await fetch(url.replace("photo.txt", "other.txt"));
    expect(await other.text()).toContain("SignatureDoesNotMatch");
  });

  it("names the bucket in the host unless path style is asked for", async () => {
    await storage.put("by-host", Buffer.from("x"), { contentType: "text/plain" });
    const port = new URL(twin.url).port;
    const byHost = createS3Storage({ ...settings, endpoint: `http://s3.test:${port}`, pathStyle: false });
    const url = new URL(await byHost.signedUrl("by-host", { expiresInMs: 60_000 }));
    expect(url.host).toBe(`molva-media.s3.test:${port}`);
    expect(await getThrough(twin.url, url)).toBe("x");
  });
});

/** Sends requests for another host to a known server, since DNS does not know that host here. */
function getThrough(server: string, url: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    request(`${server}${url.pathname}${url.search}`, { headers: { host: url.host } }, (response) =>
      resolve(text(response)),
    )
      .once("error", reject)
      .end();
  });
}
