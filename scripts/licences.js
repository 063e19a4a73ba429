// Checks the licences of all packages of an installation against those that are compatible with MIT software.
// Read from the lock file, which names the packages of every platform; if it has no licence, from the package on disk.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./setup/root.js";

export const licencesFile = "docs/reference/licences.md";

/** Each allows use, change and distribution with our own code, without conditions on our code. */
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
  {
    name: /^axe-core$/,
    licence: /^MPL-2\.0$/,
    why: "checks the pages in tests; no part of it is shipped",
  },
];

/** Data inside packages that has terms of its own. */
const data = [
  {
    name: "dictionary of Russian word forms, OpenCorpora revision 394551",
    package: "az",
    licence: "CC BY-SA 3.0",
    why: "used unchanged from the package, for lemmas; attribution: opencorpora.org, compiled by pymorphy2",
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

/** Why a package is not allowed, or undefined. */
export function errorOf({ name, version, licence }) {
  if (!licence)
    return `${name} ${version} names no licence: read its files and add it to the exceptions, or replace it`;
  if (accepts(licence) || exceptions.some((one) => one.name.test(name) && one.licence.test(licence)))
    return undefined;
  return `${name} ${version} is under ${licence}, which is not on the list in scripts/licences.js`;
}

/** An SPDX expression: for OR one licence is enough, for AND all are needed. */
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
## Data inside packages

| Data | Package | Licence | Use |
| --- | --- | --- | --- |
${data.map((one) => `| ${one.name} | ${one.package} | ${one.licence} | ${one.why} |`).join("\n")}

## What only builds and tests use

${table(true)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = installedPackages();
  if (process.argv.includes("--write")) writeFileSync(join(root, licencesFile), renderLicences(packages));
  const errors = packages.map(errorOf).filter(Boolean);
  const committed = existsSync(join(root, licencesFile))
    ? readFileSync(join(root, licencesFile), "utf8")
    : "";
  if (committed !== renderLicences(packages))
    errors.push(`${licencesFile} is stale: run \`npm run generate\``);
  for (const error of errors) console.error(error);
  console.log(
    errors.length
      ? `licences: ${errors.length} to look at`
      : `licences: ${packages.length} packages, all allowed`,
  );
  process.exitCode = errors.length ? 1 : 0;
}
