// The licences of every package that an installation may hold, against the list of those that MIT software can live with.
// Read from the lock file, which names the packages of every platform; a package that is silent there is asked on disk.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./setup/root.js";

export const licencesFile = "docs/reference/licences.md";

/** Each may be used, changed and shipped beside our own code without conditions on it. */
const allowed = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "PostgreSQL",
  "Python-2.0",
  "Unlicense",
];

/** Packages under other terms, and why each may stay. The names are patterns. */
const exceptions = [
  {
    name: /^@img\/sharp-(libvips-.*|wasm32|win32-.*|webcontainers-.*)$/,
    licence: /LGPL-3\.0-or-later/,
    why: "libvips, a library that is loaded beside us and can be replaced",
  },
  {
    name: /^lightningcss(-.*)?$/,
    licence: /^MPL-2\.0$/,
    why: "builds the console; no part of it is shipped",
  },
];

/** Every package once, by name. */
export function installedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const found = new Map();
  for (const [path, { version, license, dev, link }] of Object.entries(packages)) {
    if (path === "" || link) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    found.set(`${name}@${version}`, {
      name,
      version,
      licence: license ?? licenceOnDisk(path),
      dev: dev === true,
    });
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function licenceOnDisk(path) {
  const file = join(root, path, "package.json");
  if (!existsSync(file)) return "";
  const { license, licenses } = JSON.parse(readFileSync(file, "utf8"));
  return license?.type ?? license ?? licenses?.map(({ type }) => type).join(" OR ") ?? "";
}

/** What stands against a package, or nothing. */
export function faultOf({ name, version, licence }) {
  if (!licence)
    return `${name} ${version} names no licence: read its files and add it to the exceptions, or replace it`;
  if (accepts(licence) || exceptions.some((one) => one.name.test(name) && one.licence.test(licence)))
    return undefined;
  return `${name} ${version} is under ${licence}, which is not on the list in scripts/licences.js`;
}

/** An expression of SPDX: one of alternatives is enough, all of a sum are needed. */
export function accepts(expression) {
  const bare = expression.replace(/^\((.*)\)$/, "$1");
  if (bare.includes(" OR ")) return bare.split(" OR ").some(accepts);
  return bare.split(" AND ").every((licence) => allowed.includes(licence.replace(/[()]/g, "")));
}

export function renderLicences(packages = installedPackages()) {
  const rows = (dev) =>
    packages
      .filter((one) => one.dev === dev)
      .map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`)
      .join("\n");
  const table = (dev) => `| Package | Version | Licence |\n| --- | --- | --- |\n${rows(dev)}\n`;
  return `# Licences

Molva itself is under the MIT licence. These are the packages it is made of, from \`package-lock.json\`; \`npm run check:licences\`
fails when one comes under terms that are not on the list of \`scripts/licences.js\`. Written by \`npm run generate\`.

## What an installation uses

${table(false)}
## What only builds and tests use

${table(true)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = installedPackages();
  if (process.argv.includes("--write")) writeFileSync(join(root, licencesFile), renderLicences(packages));
  const faults = packages.map(faultOf).filter(Boolean);
  const committed = existsSync(join(root, licencesFile))
    ? readFileSync(join(root, licencesFile), "utf8")
    : "";
  if (committed !== renderLicences(packages))
    faults.push(`${licencesFile} is stale: run \`npm run generate\``);
  for (const fault of faults) console.error(fault);
  console.log(
    faults.length
      ? `licences: ${faults.length} to look at`
      : `licences: ${packages.length} packages, all allowed`,
  );
  process.exitCode = faults.length ? 1 : 0;
}
