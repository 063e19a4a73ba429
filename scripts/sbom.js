// Writes the bill of materials in CycloneDX 1.5, from the lock file alone: the same lock file gives the same bytes, without a
// network. `npm sbom --omit=dev` is not used, because it leaves out packages that production shares with development, such as
// ioredis.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./setup/root.js";

/** What `npm ci --omit=dev` installs, and what only builds and tests need. */
export const sbomFiles = {
  production: "sbom/molva.cdx.json",
  development: "sbom/molva-development.cdx.json",
};

const algorithms = { sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };

export function readLock() {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
}

/** The bill of one part, `production` or `development`. */
export function renderSbom(part, lock = readLock()) {
  const { packages } = lock;
  const self = packages[""];
  const chosen = Object.entries(packages).filter(
    ([path, { dev, link }]) => path !== "" && !link && (dev === true) === (part === "development"),
  );
  const components = new Map(chosen.map(([path, found]) => [refOf(path, found), componentOf(path, found)]));
  const selfRef = `${self.name}@${self.version}`;
  const dependencies = new Map([[selfRef, new Set()]]);
  for (const [path, found] of [["", self], ...chosen]) {
    const ref = path === "" ? selfRef : refOf(path, found);
    const needs = dependencies.get(ref) ?? new Set();
    dependencies.set(ref, needs);
    for (const name of neededBy(found, path === "" && part === "development")) {
      const at = resolved(packages, path, name);
      const needed = at === undefined ? undefined : refOf(at, packages[at]);
      if (needed !== undefined && components.has(needed)) needs.add(needed);
    }
  }
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${uuidOf(`${part} ${JSON.stringify(lock)}`)}`,
    version: 1,
    metadata: {
      component: {
        "bom-ref": selfRef,
        type: "application",
        name: self.name,
        version: self.version,
        purl: purlOf(self.name, self.version),
        licenses: licencesOf(self.license),
      },
      properties: [{ name: "molva:part", value: part }],
    },
    components: sorted([...components.keys()]).map((ref) => components.get(ref)),
    dependencies: sorted([...dependencies.keys()]).map((ref) => ({
      ref,
      dependsOn: sorted([...dependencies.get(ref)]),
    })),
  };
}

function componentOf(path, { version, integrity, license, dev, optional, devOptional }) {
  const name = nameOf(path);
  return {
    "bom-ref": `${name}@${version}`,
    type: "library",
    name,
    version,
    // `excluded` is CycloneDX's word for what only builds and tests use.
    scope: dev ? "excluded" : optional || devOptional ? "optional" : "required",
    purl: purlOf(name, version),
    ...(integrity && { hashes: integrity.split(" ").map(hashOf) }),
    ...(license && { licenses: licencesOf(license) }),
    ...(dev && { properties: [{ name: "cdx:npm:package:development", value: "true" }] }),
  };
}

/** A peer that is there is needed like any other; one that is absent resolves to nothing. */
function neededBy({ dependencies, devDependencies, optionalDependencies, peerDependencies }, withDev) {
  const all = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  return Object.keys(withDev ? { ...all, ...devDependencies } : all);
}

/** The way Node.js looks for a package: in the folder of whoever needs it, then in each folder above. */
function resolved(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const at = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[at]) return at;
    if (folder === "") return undefined;
  }
}

const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const refOf = (path, { version }) => `${nameOf(path)}@${version}`;
const purlOf = (name, version) => `pkg:npm/${name.replace(/^@/, "%40")}@${encodeURIComponent(version)}`;
const licencesOf = (licence) =>
  /^[\w.+-]+$/.test(licence) ? [{ license: { id: licence } }] : [{ expression: licence }];
const sorted = (texts) => texts.sort((one, other) => (one < other ? -1 : 1));

function hashOf(integrity) {
  const [algorithm, digest] = [
    integrity.slice(0, integrity.indexOf("-")),
    integrity.slice(integrity.indexOf("-") + 1),
  ];
  return { alg: algorithms[algorithm], content: Buffer.from(digest, "base64").toString("hex") };
}

/** A UUID of the content (version 8, RFC 9562): another lock file has another serial number. */
function uuidOf(text) {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(root, "sbom"), { recursive: true });
  for (const [part, file] of Object.entries(sbomFiles)) {
    const bill = renderSbom(part);
    writeFileSync(join(root, file), `${JSON.stringify(bill, null, 2)}\n`);
    console.log(`sbom: ${file}, ${bill.components.length} packages`);
  }
}
