import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { run } from "./run.js";
import { SetupError, toolError } from "./setup-error.js";
import { hashOf, readStamp, writeStamp } from "./stamp.js";

/** What is built, from which sources, and the file that proves it. */
const parts = [
  {
    name: "server",
    title: "Building the server",
    sources: ["src", "twins", "tsconfig.json", "tsconfig.build.json", "package-lock.json"],
    made: ["dist/src", "dist/twins", "dist/molva/main.js"],
    build: buildServer,
  },
  {
    name: "web",
    title: "Building the pages",
    sources: ["console", "tsconfig.json", "package-lock.json"],
    made: ["dist/web/index.html", "dist/web/playground.html"],
    build: buildPages,
  },
];

export function isBuilt(root) {
  return staleParts(root).length === 0;
}

export async function build({ root, progress, force = false }) {
  for (const { part, hash } of force ? allParts(root) : staleParts(root)) {
    await progress.step(part.title, () => part.build(root));
    writeStamp(stampFile(root), { ...readStamp(stampFile(root)), [part.name]: hash });
  }
}

function staleParts(root) {
  const stamp = readStamp(stampFile(root));
  return allParts(root).filter(
    ({ part, hash }) => stamp[part.name] !== hash || part.made.some((name) => !existsSync(join(root, name))),
  );
}

/** The hash is taken before building: a file saved meanwhile is built at the next start. */
function allParts(root) {
  return parts.map((part) => ({ part, hash: hashOf(root, part.sources) }));
}

function stampFile(root) {
  return join(root, "dist", ".stamp");
}

/** Writes nothing if a type is wrong, and removes output of deleted sources. */
async function buildServer(root) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = ["-p", "tsconfig.build.json", "--noEmitOnError", "--listEmittedFiles", "--pretty", "false"];
  const { status, output } = await run(process.execPath, [tsc, ...args], { cwd: root });
  if (status !== 0)
    throw toolError(root, output, "The server could not be built; the compiler's output above says why.");
  const emitted = new Set(
    output
      .split("\n")
      .flatMap((line) => (line.startsWith("TSFILE: ") ? [relative(root, line.slice(8).trim())] : [])),
  );
  for (const folder of ["dist/src", "dist/twins"]) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const file = relative(root, join(entry.parentPath, entry.name));
      if (entry.isFile() && !emitted.has(file)) rmSync(join(root, file));
    }
  }
  await bundle(root, "scripts/setup/vite.config.js", "The server");
}

async function buildPages(root) {
  for (const page of ["index.html", "playground.html"]) {
    if (!existsSync(join(root, "console", page)))
      throw new SetupError(
        `The pages cannot be built: console/${page} is missing; restore it with “git checkout console”.`,
      );
  }
  await bundle(root, "console/vite.config.ts", "The pages");
  compress(join(root, "dist", "web", "assets"));
}

/** Once, at the build, as small as can be: the server sends browsers what they take, which is brotli over https, else gzip. */
function compress(folder) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!/\.(?:js|css|svg)$/.test(name)) continue;
    const file = join(folder, name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

async function bundle(root, config, what) {
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const { status, output } = await run(process.execPath, [vite, "build", "--config", config], {
    cwd: root,
    // Vite builds for production unless NODE_ENV says otherwise, so it is set here.
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) throw toolError(root, output, `${what} could not be built; the output above says why.`);
}
