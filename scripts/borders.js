// Checks the borders of docs/architecture.md: imports and SQL point down, every module is imported through its index.ts.
// Plain JavaScript over import specifiers: the native TypeScript compiler has no API for this.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** What each module may import besides itself and packages. `kernel` stands for every part of it. */
const below = ["kernel", "audit", "http", "content", "platforms", "telegraph", "workspaces"];
const withCommands = [...below, "configured", "terminal"];
const products = [...withCommands, "module", "delivery", "dialogs", "billing", "llm"];
const mayImport = {
  kernel: ["kernel"],
  audit: ["kernel"],
  http: ["kernel", "audit"],
  content: ["kernel"],
  firstaid: [],
  platforms: ["kernel", "content"],
  telegraph: ["kernel", "content"],
  workspaces: ["kernel", "audit", "http", "content", "platforms"],
  llm: withCommands,
  billing: withCommands,
  dialogs: below,
  delivery: withCommands,
  accounts: products,
  shopbot: products,
  advisor: [...products, "firstaid"],
  // A client like any other: it uses the advisor over HTTP only.
  advisorbot: ["firstaid", "kernel", "http", "workspaces", "module", "delivery", "dialogs", "billing"],
  seo: products,
  // Creates the dependencies that all modules share.
  configured: below,
  // Shared by the commands of all modules.
  terminal: [...below, "configured"],
  module: [...below, "terminal", "dialogs"],
  modules: ["*"],
  cli: ["*"],
  main: ["*"],
  twins: [],
  console: [],
};

/** The module of each database schema; a module may name its own schema and those of modules it may import. */
const ownerOf = {
  molva: "kernel",
  audit: "audit",
  workspaces: "workspaces",
  delivery: "delivery",
  dialogs: "dialogs",
  llm: "llm",
  billing: "billing",
  accounts: "accounts",
  shopbot: "shopbot",
  advisor: "advisor",
  seo: "seo",
};
const schemas = Object.keys(ownerOf).join("|");

/** `src/kernel/db/pool.ts` → { module: "kernel", door: "src/kernel/db" }; each part of the kernel has its own door. */
export function placeOf(file) {
  const parts = file.split("/");
  if (parts[0] === "twins" || parts[0] === "console") return { module: parts[0], door: parts[0] };
  if (parts[0] !== "src") return undefined;
  if (parts.length === 2) return { module: parts[1].replace(/\.ts$/, ""), door: file };
  if (parts[1] === "kernel") return { module: "kernel", door: parts.slice(0, 3).join("/") };
  return { module: parts[1], door: parts.slice(0, 2).join("/") };
}

/** Every error in one file, as sentences. */
export function errorsOf(file, text) {
  const from = placeOf(file);
  if (!from) return [];
  const errors = [];
  for (const specifier of specifiersOf(text)) {
    if (!specifier.startsWith(".")) continue;
    const target = posix.normalize(posix.join(posix.dirname(file), specifier));
    const to = placeOf(target);
    if (to?.door === from.door) continue;
    if (from.module === "twins" || from.module === "console") {
      errors.push(`${file}: ${from.module}/ imports no other code of the project, but imports ${target}`);
      continue;
    }
    if (!to) {
      errors.push(`${file}: imports ${target}, which is outside src/`);
      continue;
    }
    const allowed = mayImport[from.module] ?? [];
    const composes = allowed.includes("*");
    if (to.module === "main" && from.module !== "cli") errors.push(`${file}: nothing imports main.ts`);
    else if (!composes && !allowed.includes(to.module))
      errors.push(`${file}: ${from.module} may not import ${to.module} (${target})`);
    else if (to.door !== target && target !== `${to.door}/index.ts` && !target.includes("/testing/"))
      errors.push(`${file}: imports ${target}; the door of that module is ${to.door}/index.ts`);
  }
  return errors;
}

/** Every schema that a file's SQL names and its module may not know, as sentences. */
export function schemaErrorsOf(file, text) {
  if (file.includes("/testing/")) return [];
  const isSql = file.endsWith(".sql");
  const module = isSql ? ownerOf[file.split("/")[2]] : placeOf(file)?.module;
  const allowed = mayImport[module];
  if (!allowed || allowed.includes("*")) return [];
  const named = new Set();
  for (const statement of isSql ? [withoutComments(text)] : statementsOf(text))
    for (const [, schema, name] of statement.matchAll(
      new RegExp(`(?<![\\w.'])(${schemas})\\.([a-z_]+)`, "g"),
    ))
      named.add(`${schema}.${name}`);
  return [...named]
    .filter((name) => {
      const owner = ownerOf[name.split(".")[0]];
      return owner !== module && !allowed.includes(owner);
    })
    .map((name) => `${file}: ${module} may not know ${name}`);
}

function withoutComments(sql) {
  return sql.replace(/--[^\n]*/g, "");
}

/** The SQL of tagged templates, without their values. */
function statementsOf(text) {
  const found = [];
  for (const match of text.matchAll(/\b(?:sql|tx|connection|transaction)(?:<[^`;]*>)?`/g)) {
    let depth = 0;
    let statement = "";
    for (let at = match.index + match[0].length; at < text.length; at++) {
      if (text.startsWith("${", at)) depth++;
      if (depth === 0 && text[at] === "`") break;
      if (depth === 0) statement += text[at];
      else if (text[at] === "}") depth--;
    }
    found.push(statement);
  }
  return found;
}

function specifiersOf(text) {
  const found = [];
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s*["']([^"']+)["']|import\s*\(\s*["']([^"']+)["']\s*\)|(?:^|\n)\s*import\s*["']([^"']+)["']/g;
  for (const match of text.matchAll(pattern)) found.push(match[1] ?? match[2] ?? match[3]);
  return found;
}

function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name.toString()).split(sep).join("/"))
    .filter((name) => /\.(ts|tsx|sql)$/.test(name) && !/\.test\.tsx?$|node_modules/.test(name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = ["src", "twins", "console", "db/functions"].flatMap(sources);
  const errors = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [...errorsOf(file, text), ...schemaErrorsOf(file, text)];
  });
  for (const error of errors) console.error(error);
  console.log(
    errors.length ? `borders: ${errors.length} broken` : `borders: ${files.length} files respect them`,
  );
  process.exitCode = errors.length ? 1 : 0;
}
