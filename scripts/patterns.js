// Finds regular expressions whose work grows faster than the text they read: with a stranger's text they hang the server.
// Every literal and every RegExp that is put together is looked at, in what runs beside strangers' text.
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { allowed, made } from "./patterns/exceptions.js";
import { faultsOf } from "./patterns/faults.js";
import { root } from "./setup/root.js";

const folders = ["src", "twins", "bin", "console/src", "console/playground"];

/** The patterns of one file: literals with their source and flags, others with the code that makes them. */
export function patternsIn(file, text) {
  const { program, errors } = parseSync(file, text, { lang: file.endsWith("x") ? "tsx" : "ts" });
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const found = [];
  const add = (node, pattern) =>
    found.push({ file, line: text.slice(0, node.start).split("\n").length, ...pattern });
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (typeof node !== "object" || node === null) return;
    if (node.type === "Literal" && node.regex)
      return add(node, { source: node.regex.pattern, flags: node.regex.flags });
    if (/^(New|Call)Expression$/.test(node.type) && node.callee.name === "RegExp")
      add(node, { code: text.slice(node.start, node.end).replace(/\s+/g, " ") });
    Object.values(node).forEach(walk);
  };
  walk(program);
  return found;
}

/** Every fault of these patterns, as sentences; and the exceptions that stand for nothing any more. */
export function judge(patterns, exceptions = allowed, examples = made) {
  const faults = [];
  const used = new Set();
  for (const { file, line, source, flags, code } of patterns) {
    const example = code && examples.find((one) => one.file === file && code.includes(one.code));
    if (code && !example) {
      faults.push(
        `${file}:${line} makes a pattern from parts: add an example of it to scripts/patterns/exceptions.js`,
      );
      continue;
    }
    used.add(example);
    for (const shape of example ? example.examples : [new RegExp(source, flags)]) {
      const exception = exceptions.find((one) => one.file === file && one.source === shape.source);
      used.add(exception);
      if (exception) continue;
      for (const fault of faultsOf(shape)) faults.push(`${file}:${line} ${shape}: ${fault}`);
    }
  }
  for (const each of [...exceptions, ...examples])
    if (!used.has(each))
      faults.push(`scripts/patterns/exceptions.js: nothing in ${each.file} is ${each.source ?? each.code}`);
  return faults;
}

export function allPatterns() {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => join(folder, name.toString()).split(sep).join("/"))
      .filter(
        (name) => /\.(ts|tsx|js)$/.test(name) && !/\.(test|d)\.tsx?$|\/(testing|node_modules)\//.test(name),
      )
      .flatMap((file) => patternsIn(file, readFileSync(join(root, file), "utf8"))),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const patterns = allPatterns();
  const faults = judge(patterns);
  for (const fault of faults) console.error(fault);
  console.log(
    faults.length ? `patterns: ${faults.length} faults` : `patterns: ${patterns.length} work in linear time`,
  );
  process.exitCode = faults.length ? 1 : 0;
}
