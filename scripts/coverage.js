// Writes into the reference pages which tests prove each requirement, from comments in the tests (scripts/coverage/tags.js).
// Without `--write` it checks: every requirement has a test, every comment names a requirement, the pages are up to date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { requirements } from "./coverage/requirements.js";
import { tagsIn } from "./coverage/tags.js";
import { root } from "./setup/root.js";

const folders = ["src", "twins", "tests", "console", "scripts"];

/** The tests of every requirement, as `file › title`, and what is wrong with the comments. */
export function coverageOf(files) {
  const proofs = new Map();
  const errors = [];
  for (const { file, source } of files) {
    const { tests, stray } = tagsIn(source);
    for (const line of stray) errors.push(`${file}:${line}: is not above a test`);
    for (const { title, covers } of tests) {
      for (const { part, name } of covers) {
        const key = `${part}: ${name}`;
        if (!requirements[part]?.names.includes(name))
          errors.push(`${file}: “${title}” covers “${key}”, which nobody asks for`);
        proofs.set(key, [...(proofs.get(key) ?? []), `${file} › ${title}`]);
      }
    }
  }
  for (const [part, { names }] of Object.entries(requirements)) {
    for (const name of names)
      if (!proofs.has(`${part}: ${name}`)) errors.push(`no test covers “${part}: ${name}”`);
  }
  return { proofs, errors };
}

/** The page with current lists of tests under its headings; everything else on it is written by hand. */
export function writtenInto(text, part, proofs) {
  const { names } = requirements[part];
  const written = [];
  let tests = [];
  for (const block of text.trimEnd().split(/\n{2,}/)) {
    const heading = block.match(/^#{2,4} (Point \d+|.+$)/m)?.[1];
    const isList = /^- `\S+\.test\.tsx? › /.test(block);
    if (heading) {
      if (tests.length > 0) written.push(listOf(tests));
      tests = names.includes(heading) ? (proofs.get(`${part}: ${heading}`) ?? []) : [];
    }
    if (!isList) written.push(block);
  }
  if (tests.length > 0) written.push(listOf(tests));
  return `${written.join("\n\n")}\n`;
}

const listOf = (tests) => [...new Set(tests)].map((test) => `- \`${test}\``).join("\n");

/** The new text of every page, by its path. */
export function coveragePages(proofs = coverageOf(testFiles()).proofs) {
  return Object.fromEntries(
    Object.entries(requirements).map(([part, { page }]) => [
      page,
      writtenInto(readFileSync(join(root, page), "utf8"), part, proofs),
    ]),
  );
}

function testFiles() {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
    )
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort()
    .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { proofs, errors } = coverageOf(testFiles());
  for (const [page, text] of Object.entries(coveragePages(proofs))) {
    if (process.argv.includes("--write")) writeFileSync(join(root, page), text);
    else if (readFileSync(join(root, page), "utf8") !== text)
      errors.push(`${page} is stale: run \`npm run generate\``);
  }
  for (const error of errors) console.error(error);
  const count = [...proofs.values()].flat().length;
  console.log(
    errors.length
      ? `coverage: ${errors.length} to look at`
      : `coverage: ${proofs.size} requirements, ${count} proofs`,
  );
  process.exitCode = errors.length ? 1 : 0;
}
