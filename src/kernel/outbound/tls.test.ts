import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createProviderClient } from "./index.ts";
import { answerOf, failureOf, listening, tcpServer } from "./test-servers.ts";

const folder = mkdtempSync(join(tmpdir(), "molva-tls-"));
afterAll(() => rmSync(folder, { recursive: true }));
const authority = makeCertificates();

describe.skipIf(!authority)(
  `TLS${authority ? "" : " (skipped: no openssl to make certificates with)"}`,
  () => {
    it("refuses a server whose authority is unknown, before anything is sent", async () => {
      const server = await tlsServer("server");
      const result = await createProviderClient().request({ method: "POST", url: server.url, body: "x" });
      expect(failureOf(result)).toEqual({ reason: "tls", mayHaveArrived: false });
    });

    it("trusts an authority that was added, and the built-in ones still", async () => {
      const server = await tlsServer("server");
      const client = createProviderClient({ extraCa: pem("ca.pem") });
      expect(answerOf(await client.request({ method: "POST", url: server.url, body: "x" })).text).toBe("tls");
    });

    it("refuses a certificate for another name", async () => {
      const server = await tlsServer("elsewhere");
      const client = createProviderClient({ extraCa: pem("ca.pem") });
      const result = await client.request({ method: "POST", url: server.url, body: "x" });
      expect(failureOf(result)).toEqual({ reason: "tls", mayHaveArrived: false });
    });
  },
);

it("knows that nothing left when the handshake never ends", async () => {
  const server = await tcpServer((socket) => socket.resume());
  const client = createProviderClient({ connectTimeoutMs: 300 });
  const result = await client.request({ method: "POST", url: `https://127.0.0.1:${server.port}`, body: "x" });
  expect(failureOf(result)).toEqual({ reason: "timeout", mayHaveArrived: false });
});

it("knows that nothing left when the other side speaks no TLS", async () => {
  const server = await tcpServer((socket) =>
    socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
  );
  const result = await createProviderClient().request({
    method: "POST",
    url: `https://127.0.0.1:${server.port}`,
    body: "x",
  });
  expect(failureOf(result)).toEqual({ reason: "tls", mayHaveArrived: false });
});

function tlsServer(name: string) {
  const server = createServer({ key: pem(`${name}.key`), cert: pem(`${name}.pem`) }, (_, response) =>
    response.end("tls"),
  );
  return listening(server, "https");
}

function pem(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

/** An authority of its own, a certificate for 127.0.0.1 and one for another name. */
function makeCertificates(): boolean {
  const run = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  try {
    run("req", "-x509", ...newKey, "-subj", "/CN=Test authority", "-keyout", "ca.key", "-out", "ca.pem");
    for (const [name, san] of [
      ["server", "IP:127.0.0.1"],
      ["elsewhere", "DNS:elsewhere.test"],
    ] as const) {
      run(
        "req",
        "-x509",
        ...newKey,
        "-subj",
        `/CN=${name}`,
        "-addext",
        `subjectAltName=${san}`,
        "-addext",
        "basicConstraints=critical,CA:FALSE",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-keyout",
        `${name}.key`,
        "-out",
        `${name}.pem`,
      );
    }
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
