// Finds regular expressions that take more than linear time: with untrusted text they could hang the server.
// Checks every literal and every constructed RegExp in code that may read untrusted text.
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";
import { allowed, made } from "./patterns/exceptions.js";
import { errorsOf } from "./patterns/pattern-errors.js";
import { root } from "./setup/root.js";

const folders = ["src", "twins", "bin", "console/src", "console/playground"];

/** The patterns of one file: literals with their source and flags, others with the code that constructs them. */
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

/** Every error in these patterns, as sentences, and exceptions that are no longer used. */
export function judge(patterns, exceptions = allowed, examples = made) {
  const errors = [];
  const used = new Set();
  for (const { file, line, source, flags, code } of patterns) {
    const example = code && examples.find((one) => one.file === file && code.includes(one.code));
    if (code && !example) {
      errors.push(
        `${file}:${line} makes a pattern from parts: add an example of it to scripts/patterns/exceptions.js`,
      );
      continue;
    }
    used.add(example);
    for (const shape of example ? example.examples : [new RegExp(source, flags)]) {
      const exception = exceptions.find((one) => one.file === file && one.source === shape.source);
      used.add(exception);
      if (exception) continue;
      for (const error of errorsOf(shape)) errors.push(`${file}:${line} ${shape}: ${error}`);
    }
  }
  for (const each of [...exceptions, ...examples])
    if (!used.has(each))
      errors.push(`scripts/patterns/exceptions.js: nothing in ${each.file} is ${each.source ?? each.code}`);
  return errors;
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
  const errors = judge(patterns);
  for (const error of errors) console.error(error);
  console.log(
    errors.length ? `patterns: ${errors.length} errors` : `patterns: ${patterns.length} work in linear time`,
  );
  process.exitCode = errors.length ? 1 : 0;
}
