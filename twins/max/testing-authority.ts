import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A private root, and a certificate for the loopback address that it has signed. */
export interface PrivateAuthority {
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
}

/** Whether certificates can be created here: Node cannot sign them. */
export function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** For clients that must prove they load an extra root, as the provider's new host requires. */
export function createAuthority(): PrivateAuthority {
  const folder = mkdtempSync(join(tmpdir(), "authority-"));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  try {
    writeFileSync(file("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
    openssl(
      "req",
      "-x509",
      ...newKey,
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-days",
      "2",
      "-subj",
      "/CN=Test Root",
    );
    openssl("req", ...newKey, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=localhost");
    openssl(
      ...["x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"],
      ...["-extfile", "names", "-days", "2", "-out", "cert.pem"],
    );
    const read = (name: string) => readFileSync(file(name), "utf8");
    return { ca: read("ca.pem"), key: read("key.pem"), cert: read("cert.pem") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
