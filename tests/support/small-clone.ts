/** A minimal clone of Molva in which the setup scripts do all that they do in a real one. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { tempFolder } from "./temp-folder.ts";

export interface SmallClone {
  readonly root: string;
  write(file: string, text: string): void;
  run(script: string, options?: RunOptions): Promise<Ran>;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  /** Root only: be this user instead. */
  readonly uid?: number;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "molva",
    version: "0.0.0",
    private: true,
    type: "module",
    bin: { molva: "bin/molva.js" },
    devDependencies: { typescript: "file:tools/typescript", vite: "file:tools/vite" },
  }),
  "src/cli/main.ts":
    'export async function run(args: string[]) {\n  console.log("molva", ...args);\n  return 0;\n}\n',
  "src/extra.ts": "export const extra: number = 1;\n",
  "twins/index.ts": "export const twin: string = 'twin';\n",
  "console/index.html": "<!doctype html><title>console</title>",
  "console/playground.html": "<!doctype html><title>playground</title>",
  "console/vite.config.ts": `import { fileURLToPath } from "node:url";
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export default { root: here("."), build: { outDir: here("../dist/web"), emptyOutDir: true,
  rolldownOptions: { input: { console: here("index.html"), playground: here("playground.html") } } } };
`,
};

export function smallClone(): SmallClone {
  const root = tempFolder("clone");
  const { write } = cloneAt(root);
  for (const [file, text] of Object.entries(files)) write(file, text);
  for (const name of ["scripts/setup", "scripts/setup.js", "scripts/build.js", "bin", "tsconfig.build.json"])
    cpSync(join(projectRoot, name), join(root, name), { recursive: true });
  write("tsconfig.json", JSON.stringify({ compilerOptions: compilerOptions() }));
  tool("typescript", "bin/tsc");
  tool("vite", "bin/vite.js");
  execFileSync("npm", ["install", "--package-lock-only", "--offline"], { cwd: root, stdio: "pipe" });
  return cloneAt(root);

  /** The project's own compiler and bundler, under a package of the clone that npm can install without a network. */
  function tool(name: string, program: string): void {
    write(
      `tools/${name}/package.json`,
      JSON.stringify({ name, version: "1.0.0", type: "module", bin: { [name]: program } }),
    );
    write(
      `tools/${name}/${program}`,
      `import ${JSON.stringify(join(projectRoot, "node_modules", name, program))};\n`,
    );
  }
}

/** The same as it is now, at another place. */
export function copyOf(clone: SmallClone): SmallClone {
  const root = tempFolder("clone");
  cpSync(clone.root, root, { recursive: true, verbatimSymlinks: true });
  return cloneAt(root);
}

function cloneAt(root: string): SmallClone {
  return {
    root,
    write(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    },
    run: (script, options = {}) => run(root, script, options),
  };
}

function compilerOptions() {
  return {
    target: "es2023",
    module: "nodenext",
    moduleDetection: "force",
    rootDir: ".",
    outDir: "dist",
    types: ["node"],
    typeRoots: [join(projectRoot, "node_modules", "@types")],
    strict: true,
  };
}

function run(root: string, script: string, options: RunOptions): Promise<Ran> {
  const { npm_execpath: _, ...environment } = process.env;
  return new Promise((resolve, reject) => {
    const args = [...(options.nodeArgs ?? []), join(root, script), ...(options.args ?? [])];
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...environment, ...options.env },
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, stdout, stderr }));
  });
}
