import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root, found from this file, whether it runs from `src/` or from `dist/src/`. */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The version of this release. */
export const version: string = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")).version;

export const paths = {
  migrations: join(projectRoot, "db", "migrations"),
  functions: join(projectRoot, "db", "functions"),
  schema: join(projectRoot, "db", "schema.sql"),
  seed: join(projectRoot, "db", "seed.sql"),
  /** The rules of the demo shop bot. */
  shopBot: join(projectRoot, "db", "shop-bot.yaml"),
  /** The built web pages: `index.html` is the console, `playground.html` the twins' page. */
  web: join(projectRoot, "dist", "web"),
  /** What a release brings for language models: policies, prices, prompts. */
  llm: join(projectRoot, "db", "llm"),
  openapi: join(projectRoot, "docs", "reference", "openapi.json"),
} as const;

function findRoot(from: string): string {
  if (existsSync(join(from, "package.json")) && existsSync(join(from, "db"))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error("the project's root (package.json beside db/) was not found");
  return findRoot(parent);
}
