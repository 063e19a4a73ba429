/** The image's files, laid out without Docker: what its Dockerfile copies into the last stage, and how it is started. */
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { tempFolder } from "./temp-folder.ts";

export interface Image {
  readonly folder: string;
  /** What ENV sets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

export function layOutImage(): Image {
  const text = readFileSync(join(projectRoot, "Dockerfile"), "utf8").replaceAll("\\\n", " ");
  const lines = text.split("\n").map((line) => line.trim());
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
  const folder = tempFolder("image");
  for (const line of last) {
    const copied = /^COPY --from=build \/app\/(\S+) \.\/(\S+)$/.exec(line);
    if (copied?.[1] && copied[2]) bring(copied[1], join(folder, copied[2]));
    else if (/^(COPY|ADD) /.test(line)) throw new Error(`not understood: ${line}`);
  }
  const environment = last.flatMap((line) => /^ENV (.+)$/.exec(line)?.[1]?.split(/\s+/) ?? []);
  return {
    folder,
    environment: Object.fromEntries(environment.map((pair) => pair.split("=", 2))),
    entrypoint: arrayAfter("ENTRYPOINT", last),
    command: arrayAfter("CMD", last),
    healthcheck: arrayAfter("HEALTHCHECK", last),
  };
}

/** As the build stage leaves it: without what .dockerignore keeps out, and without packages for development. */
function bring(name: string, to: string): void {
  const from = join(projectRoot, name);
  const made = name === "dist" || name === "node_modules";
  if (!made && ignored().includes(name)) throw new Error(`.dockerignore keeps ${name} out of the build`);
  if (name === "node_modules") bringPackages(from, to);
  else cpSync(from, to, { recursive: true });
}

function ignored(): string[] {
  return readFileSync(join(projectRoot, ".dockerignore"), "utf8").split("\n");
}

const lockfile = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });

function bringPackages(from: string, to: string): void {
  const { packages } = lockfile.parse(
    JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")),
  );
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path === "" || dev) continue;
    const inside = path.slice("node_modules/".length);
    if (existsSync(join(from, inside))) link(join(from, inside), join(to, inside));
  }
}

/** Hard links are as good as copies here and cost nothing; nested packages come with entries of their own. */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === "node_modules") continue;
    if (entry.isDirectory()) link(source, target);
    else if (entry.isFile()) linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  try {
    linkSync(source, target);
  } catch {
    // Another file system.
    cpSync(source, target);
  }
}

function arrayAfter(word: string, lines: readonly string[]): readonly string[] {
  const found = lines.find((line) => line.startsWith(`${word} `));
  return z.array(z.string()).parse(JSON.parse(/\[.*\]$/.exec(found ?? "")?.[0] ?? "[]"));
}
