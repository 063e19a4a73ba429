// Checks docs/reference/coverage.md, shopbot.md, llm.md, advisor.md and accounts.md: every section and point of the specification names tests, and
// every named test exists.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** The headings of part A of the specification, in its order. */
const sections = [
  "Non-goals",
  "Key guarantees",
  "Architecture overview",
  "Components",
  "Adapter contract",
  "sendText",
  "sendMedia",
  "MAX adapter profile",
  "Outgoing idempotency",
  "Data model requirements",
  "Table: workspaces",
  "Table: workspace_endpoints",
  "Table: channels",
  "Table: platform_limits",
  "Table: messages",
  "Table: media_origin",
  "Table: media_blobs",
  "Table: deliveries",
  "Table: events",
  "Table: pull_sources",
  "Table: pull_cursors",
  "Table: ingest_runs",
  "Table: ingress_receipts",
  "Dedup requirements",
  "Routing rules / segmentation",
  "Scheduling hooks",
  "Templates / rendering",
  "Ingest requirements",
  "Ingress flood control",
  "Preflight validation",
  "Push mode",
  "Pull mode",
  "Transactional SQL boundary",
  "Dispatcher requirements",
  "Workspace scheduler",
  "Core loop",
  "Rate limiting",
  "Error classification defaults",
  "Retry policy",
  "Permanent failures",
  "error_streak policy",
  "Status semantics / alerting",
  "Delivery state machine",
  "Monitor requirements",
  "Responsibilities",
  "Prod checklist",
  "Data privacy / PII",
  "Ops runbook",
  "1) Queue snapshot by status",
  "2) Recent error stream",
  "3) Safe requeue for dead",
  "4) Requeue failed_permanent",
  "5) Pause one channel",
  "6) Enable/resume one channel",
  "7) Disable channel group",
  "8) Enable channel group",
  "9) Rotate auth_ref safely",
  "10) Emergency release of stale claimed/sending",
  "Demo criteria",
];

/** Points of the acceptance list. */
const points = Array.from({ length: 42 }, (_, index) => `Point ${index + 1}`);

/** The shop bot's behaviour requirements, in the order of part B. */
const botLines = [
  "Bot responses go through the same MAX adapter",
  "Logs of outbound messages carry trace_id and idempotency_key",
  "Inbound dedup before the engine",
  "A duplicate reaches neither engine nor customer",
  "Outbox dedup before sending",
  "What is answered already is not answered again",
  "Rules match by contains, in any case",
  "State timeout",
  "Turn guard",
  "A matched rule renders its template and moves the state",
  "Without a match: fallback or escalation, by configuration",
  "One multi-step scenario: returns",
  "Production mode is the webhook",
  "Table constraints of the document",
  "Bot monitor",
];

/** What is asked of the gateway to language models. */
const llmLines = [
  "Policies in a table, switched without a deploy",
  "OpenRouter, OpenAI and any compatible server",
  "Structured answers with one repair and then the fallback model",
  "Streaming",
  "Images and sounds in",
  "Retries by error class, Retry-After",
  "Circuit breaker per provider",
  "Budgets that parallel calls cannot pass",
  "The same request is asked once",
  "Every call recorded and reported",
  "Prompts as versioned files",
  "User text never in the system part",
  "Keys nowhere but in the request",
  "A twin for OpenRouter and OpenAI",
];

/** What is asked of the advisor: the checklist and the errors of its document, what fills its gaps, and the service itself. */
const advisorLines = [
  "Seven endpoints",
  "Eight tables",
  "Research by button, with a quota",
  "The model is chosen by plan alone",
  "One answer for each request id",
  "Bearer token and HTTPS",
  "Free has a talk that ends and no memory",
  "400",
  "401",
  "402",
  "404",
  "409",
  "429",
  "500",
  "502, 503, 504",
  "Both spellings of a request",
  "Payload hash, take-over, repetition after failure",
  "Taken before the model, given back on failure",
  "Pro has no daily cap",
  "Photos by month",
  "Structured advice, and signs that only raise it",
  "Reasons of offers",
  "Two moments of consent",
  "The active pet",
  "Which profile a question is asked with",
  "Sticky mode, sliding talks, expected reply",
  "Photos and recordings by upload",
  "Deletion",
  "What time takes away",
  "Words of people are not instructions",
  "Operators",
  "Names of settings",
  "Waiting models hold nobody up",
  "Forty questions",
];

/** The acceptance of the accounts, in words of our own. */
const accountLines = [
  "1. Each mode has its gaps, inside the window",
  "2. The limit counts published and planned",
  "3. The planner run twice creates nothing new",
  "4. All chats of the first object first",
  "5. What cannot be is skipped with a reason",
  "6. A configuration saved at 15:00, 23:00 and 06:00",
  "7. Two workers never send one task twice",
  "8. Each failed check stores its reason and sends nothing",
  "9. Repeats",
  "10. The limiter puts off without a try",
  "11. The third failure is final",
  "12. A flood wait stops the account at once",
  "13. Reactivation resumes",
  "14. Stuck tasks",
  "15. Signing in",
  "16. Joining chats survives restarts and floods",
  "17. Diagnostics match the database",
];

/** What each page has to speak of. */
const pages = {
  "docs/reference/coverage.md": [...sections, ...points],
  "docs/reference/shopbot.md": botLines,
  "docs/reference/llm.md": llmLines,
  "docs/reference/advisor.md": advisorLines,
  "docs/reference/accounts.md": accountLines,
};

/** Every fault of a page, as sentences that begin with its place. `titlesOf` gives a file's test titles, or nothing. */
export function faultsOf(text, titlesOf, page = "docs/reference/coverage.md") {
  const entries = entriesOf(text);
  const faults = [];
  for (const name of pages[page]) {
    const entry = entries.find((each) => each.name === name);
    if (!entry) faults.push(`${page}: “${name}” is missing`);
    else if (entry.tests.length === 0) faults.push(`${page}:${entry.line}: “${name}” names no test`);
  }
  for (const { line, file, title } of entries.flatMap(({ tests }) => tests)) {
    const titles = titlesOf(file);
    if (!titles) faults.push(`${page}:${line}: there is no file ${file}`);
    else if (!titles.some((each) => fits(each, title)))
      faults.push(`${page}:${line}: ${file} has no test “${title}”`);
  }
  return faults;
}

/** A heading begins an entry, and its list names tests: - `file › title`. */
function entriesOf(text) {
  const entries = [];
  for (const [index, words] of text.split("\n").entries()) {
    const line = index + 1;
    const heading = words.match(/^#{2,4} (Point \d+|.+$)/);
    const test = words.match(/^- `(\S+\.test\.tsx?) › (.+)`$/);
    if (heading) entries.push({ line, name: heading[1], tests: [] });
    else if (test) entries.at(-1)?.tests.push({ line, file: test[1], title: test[2] });
  }
  return entries;
}

/** A title of `each` may be named as it is written, or as one of its cases. */
function fits(written, named) {
  if (written === named) return true;
  const parts = written.split(/%[sdifjo%#]|%\.\d+s|\$[\w.]+/);
  // A title that is all case would fit anything.
  if (parts.length === 1 || parts.join("").trim() === "") return false;
  const literally = (part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${parts.map(literally).join(".+")}$`, "s").test(named);
}

/** The titles of `it(…)`, `test(…)` and their `.each(…)(…)`, read from the source without running it. */
export function titlesIn(source) {
  const titles = [];
  for (const match of source.matchAll(/(?<![\w.$])(?:it|test)((?:\.\w+)*)(?:<[^()]*>)?\(/g)) {
    let open = match.index + match[0].length - 1;
    // The table of `each` and the condition of `skipIf` come first; the title is in the call after them.
    if (/\.(each|for|skipIf|runIf)$/.test(match[1])) {
      const after = source.slice(closing(source, open)).match(/^\)\s*(?:\.\w+\s*)*\(/);
      if (!after) continue;
      open = closing(source, open) + after[0].length - 1;
    }
    const title = source.slice(open + 1).match(/^\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/s);
    if (title) titles.push(title[2].replace(/\\(.)/gs, "$1"));
  }
  return titles;
}

/** Where the bracket opened at `open` closes, past strings, comments and regular expressions. */
function closing(source, open) {
  const token =
    /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*.*?\*\/|(?<=[(,=:[!&|?{};\s])\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/|[()]/gs;
  token.lastIndex = open;
  let depth = 0;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    if (found[0] === "(") depth += 1;
    if (found[0] === ")") depth -= 1;
    if (depth === 0) return found.index;
  }
  return source.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const known = new Map();
  const titlesOf = (file) => {
    const path = join(root, file);
    if (!known.has(file)) known.set(file, existsSync(path) && titlesIn(readFileSync(path, "utf8")));
    return known.get(file) || undefined;
  };
  const texts = Object.keys(pages).map((page) => ({ page, text: readFileSync(join(root, page), "utf8") }));
  const faults = texts.flatMap(({ page, text }) => faultsOf(text, titlesOf, page));
  for (const fault of faults) console.error(fault);
  const named = texts.flatMap(({ text }) => text.match(/^- `.+ › .+`$/gm) ?? []).length;
  console.log(faults.length ? `coverage: ${faults.length} faults` : `coverage: ${named} named tests exist`);
  process.exitCode = faults.length ? 1 : 0;
}
