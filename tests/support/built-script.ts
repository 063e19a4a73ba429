import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "vite";
import { projectRoot } from "../../src/kernel/paths/index.ts";

/** Inside the project, so that packages and the project's own files are found from there. */
const cache = join(projectRoot, "node_modules", ".cache", "molva-tests");
const scripts = new Map<string, Promise<string>>();

/**
 * The path of a script made of a TypeScript module, for what must run in a process of its own: to be killed, or as another
 * user. It is built once, because each process would need seconds to compile what it imports.
 */
export function builtScript(module: string): Promise<string> {
  if (scripts.size === 0) sweep();
  const script = scripts.get(module) ?? makeScript(module);
  scripts.set(module, script);
  return script;
}

async function makeScript(module: string): Promise<string> {
  const outDir = join(cache, String(process.pid));
  const entryFileNames = `${basename(module, ".ts")}.js`;
  await build({
    configFile: false,
    logLevel: "error",
    root: projectRoot,
    publicDir: false,
    build: {
      ...{ ssr: module, outDir, emptyOutDir: false, target: "node20" },
      rolldownOptions: { output: { entryFileNames } },
    },
  });
  return join(outDir, entryFileNames);
}

/** A worker of the tests is ended without notice, so the next one removes its scripts. */
function sweep(): void {
  if (!existsSync(cache)) return;
  for (const pid of readdirSync(cache))
    if (!isAlive(Number(pid))) rmSync(join(cache, pid), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
