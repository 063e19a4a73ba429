import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { ownFiles } from "./files.ts";
import { articleFigures } from "./measures.ts";

/** Runs that were stored: figures as JSON for people and programs, texts beside them for the next comparison. */

const figure = z.number().nullable();

const resultSchema = z.object({
  kind: z.enum(["twin", "real"]),
  /** What the figures mean. */
  label: z.string(),
  at: z.string(),
  briefs: z.int(),
  models: z.array(z.string()),
  figures: z.record(z.string(), figure),
  articles: z.array(articleFigures),
});
export type StoredResult = z.infer<typeof resultSchema>;

export const resultsFolder = () => fileURLToPath(ownFiles("results/"));

export interface EarlierRun extends StoredResult {
  readonly name: string;
  /** Texts by the name of their brief. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The newest stored run of the same kind: a twin is never compared with a model. */
export function lastRun(folder: string, kind: StoredResult["kind"]): EarlierRun | undefined {
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder)
    .filter((each) => each.endsWith(`-${kind}.json`))
    .sort()
    .at(-1)
    ?.replace(/\.json$/, "");
  if (name === undefined) return undefined;
  const stored = resultSchema.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")));
  const path = join(folder, `${name}.texts.json.gz`);
  const texts = existsSync(path)
    ? z.record(z.string(), z.string()).parse(JSON.parse(gunzipSync(readFileSync(path)).toString("utf8")))
    : {};
  return { ...stored, name, texts: new Map(Object.entries(texts)) };
}

/** Returns the file of the figures. */
export function storeRun(folder: string, result: StoredResult, texts: ReadonlyMap<string, string>): string {
  mkdirSync(folder, { recursive: true });
  const name = `${result.at.slice(0, 16).replaceAll(":", "")}-${result.kind}`;
  const path = join(folder, `${name}.json`);
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(
    join(folder, `${name}.texts.json.gz`),
    gzipSync(JSON.stringify(Object.fromEntries(texts)), { level: 9 }),
  );
  return path;
}
