import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { run } from "../../src/cli/main.ts";
import { demo as seeded } from "../../src/delivery/index.ts";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { curl } from "../support/documents/curl.ts";
import { type Fence, fencesOf, firstLine, skeleton, wordless } from "../support/documents/fences.ts";
import { type CommandEnd, runScript } from "../support/documents/shell.ts";
import { freePorts } from "../support/molva.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** Every command of README and the guides, pasted by a newcomer while `npm start` runs in another terminal. */

/** Commands that cannot be run here, in both languages of a document; `first` is the block's first command. */
const notRun: readonly { document: string; first: string; because: string }[] = [
  {
    document: "README",
    first: "npm start",
    because: "tests/e2e/start.test.ts runs it, and this is npm test",
  },
  { document: "getting-started", first: "npm start", because: "tests/e2e/start.test.ts runs it" },
  {
    document: "operating",
    first: "npx molva serve",
    because: "serves until stopped: tests/e2e/commands.test.ts",
  },
  {
    document: "operating",
    first: "npx molva serve --role api jobs monitor",
    because: "serve until stopped: tests/e2e/roles.test.ts",
  },
  { document: "operating", first: "docker compose build", because: "there is no Docker here" },
  {
    document: "operating",
    first: "docker compose run --rm -v /mnt/backups:/backups migrate backup /backups --keep 14",
    because: "there is no Docker here",
  },
  {
    document: "operating",
    first: "docker compose run --rm -v /mnt/backups:/backups migrate restore /backups",
    because: "there is no Docker here",
  },
  {
    document: "operating",
    first: "npx molva tail --errors",
    because: "runs until stopped: src/delivery/commands/watching.test.ts",
  },
  {
    document: "billing",
    first: "npx molva billing movements 123456789",
    because: "nobody of the demo has tokens: src/billing/commands/billing.test.ts",
  },
  {
    document: "payments",
    first: "npx molva billing payments --user 123456789",
    because: "nobody has paid in the demo yet: tests/e2e/stars-playground.test.ts",
  },
  {
    document: "pinterest",
    first: "npx molva channel add pinterest 400000000002 --auth my-board",
    because: "a person gives access in a browser first: tests/e2e/pinterest-consent.test.ts",
  },
  {
    document: "account-login",
    first: "npx molva account import session.txt",
    because: "needs another program's session: src/accounts/commands/account-login.test.ts",
  },
  {
    document: "operating",
    first: "DATABASE_OWNER_URL=postgres://molva:…@db.example.com:5432/molva npx molva migrate",
    because: "needs a database of one's own",
  },
  {
    document: "operating",
    first: "npx molva backup /mnt/backups --keep 14",
    because: "needs a place of one's own: src/cli/commands/backup.test.ts",
  },
  {
    document: "operating",
    first: "npx molva restore /mnt/backups --dry-run",
    because: "needs an empty database: src/cli/commands/backup.test.ts",
  },
  {
    document: "operating",
    first: "docker buildx imagetools inspect node:22.21.1-bookworm-slim",
    because: "there is no Docker here",
  },
  {
    document: "n8n",
    first: "n8n import:credentials --input=workflows/credentials/credentials.json",
    because: "there is no n8n here; tests/e2e/n8n.test.ts walks the exports",
  },
  {
    document: "n8n",
    first: "n8n publish:workflow --id=molva-adapter-telegram",
    because: "there is no n8n here",
  },
  {
    document: "n8n",
    first:
      "curl -X POST http://127.0.0.1:5678/webhook/wf01-ingest-push -H 'X-Molva-Secret: molva-demo-secret' \\",
    because: "there is no n8n here",
  },
  {
    document: "n8n",
    first:
      "curl -X POST http://127.0.0.1:5678/webhook/adapter-telegram -H 'X-Molva-Hook: …' -H 'Content-Type: application/json' \\",
    because: "there is no n8n here",
  },
  {
    document: "n8n",
    first: "npx molva serve --role api jobs monitor bots",
    because: "serves until stopped: tests/e2e/roles.test.ts",
  },
  {
    document: "n8n",
    first: "npx molva bot set keep_subscribed=false",
    because: "needs MAX and public addresses",
  },
];

/** Languages of blocks that hold no command. `json` and `yaml` have to be well-formed. */
const shownOnly = new Set(["text", "json", "yaml", "ts", "liquid", "ini", "php", "python"]);

const guides = readdirSync(join(projectRoot, "docs/guide")).map((name) => `docs/guide/${name}`);
const documents = ["README.md", "README.ru.md", ...inReadingOrder(guides)].map((path) => ({
  path,
  name: basename(path).replace(/(\.ru)?\.md$/, ""),
  fences: fencesOf(readFileSync(join(projectRoot, path), "utf8")),
}));
type Document = (typeof documents)[number];

const isListed = ({ name }: Document, fence: Fence) =>
  notRun.some(({ document, first }) => document === name && first === firstLine(fence));

describe("the documents", () => {
  it("mark every block: sh and sql are run, the rest is only shown", () => {
    const unmarked = documents.flatMap(({ path, fences }) =>
      fences
        .filter(({ language }) => !["sh", "sql"].includes(language) && !shownOnly.has(language))
        .map(({ line, language }) => `${path}:${line} is marked "${language}"`),
    );
    expect(unmarked).toEqual([]);
  });

  it("show no JSON and no YAML that is broken", () => {
    for (const { fences } of documents)
      for (const { language, text } of fences) {
        if (language === "json") JSON.parse(text);
        if (language === "yaml") parseYaml(text);
      }
  });

  it("have what the list of commands that are not run names", () => {
    const gone = notRun.filter(
      ({ document, first }) =>
        documents.filter(
          ({ name, fences }) => name === document && fences.some((fence) => firstLine(fence) === first),
        ).length !== 2,
    );
    expect(gone).toEqual([]);
  });

  it("hold the same commands in both languages", () => {
    const commands = ({ fences }: Document) =>
      fences.filter(({ language }) => language === "sh" || language === "sql").map(skeleton);
    for (const english of documents.filter(({ path }) => !path.endsWith(".ru.md"))) {
      const russian = documents.find(({ path }) => path === english.path.replace(/\.md$/, ".ru.md"));
      expect(russian && commands(russian), english.path).toEqual(commands(english));
    }
  });
});

/** Whether the Russian document asks for more than the English one with other words between quotes. */
function asksForMore(russian: Document): boolean {
  const english = documents.find(({ path }) => path === russian.path.replace(".ru.md", ".md"));
  const commands = (document: Document | undefined) =>
    document?.fences.filter(({ language }) => language === "sh").map(wordless);
  return JSON.stringify(commands(russian)) !== JSON.stringify(commands(english));
}

describe.each([
  { language: "English", isOfIt: ({ path }: Document) => !path.endsWith(".ru.md") },
  {
    language: "Russian",
    isOfIt: (document: Document) => document.path.endsWith(".ru.md") && asksForMore(document),
  },
])("a newcomer who reads $language and pastes them", ({ isOfIt }) => {
  const home = tempFolder("documents");
  const folder = join(home, "terminal");
  const box = join(home, "box");
  const workingFolder = process.cwd();
  let demo: RunningSystem;
  let environment: Record<string, string>;
  let addressed: (text: string) => string;

  beforeAll(async () => {
    for (const made of [folder, box]) mkdirSync(made);
    const { port } = await freePorts();
    const settings = { MOLVA_HOME: join(home, "molva"), MOLVA_PORT: String(port) };
    demo = await startSystem({ accounts: true, business: true, environment: settings });
    const twinPort = new URL(demo.twinsUrl).port;
    environment = { ...settings, DATABASE_URL: demo.database.url, MOLVA_TWIN_PORT: twinPort };
    addressed = (text) =>
      text
        .replaceAll(/(127\.0\.0\.1|localhost):8080/g, `127.0.0.1:${port}`)
        .replaceAll("127.0.0.1:8090", `127.0.0.1:${twinPort}`);
    // Commands that run in this process look for files in the current folder.
    process.chdir(folder);
  });
  afterAll(async () => {
    process.chdir(workingFolder);
    await demo?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  // Each document starts with only the demo's data. Several workspaces would have to be named in every command.
  afterEach(async () => {
    await demo.database.sql`delete from workspaces.workspaces where workspace_id <> ${seeded.workspaceId}`;
  });

  async function command(name: string, args: readonly string[], input: string): Promise<CommandEnd> {
    if (name === "curl") return curl(args);
    const out: string[] = [];
    const err: string[] = [];
    const lines = input.split("\n");
    const code = await run(args, {
      environment,
      out: (text) => out.push(text),
      err: (text) => err.push(text),
      isTerminal: false,
      ask: async () => lines.shift(),
    });
    return { code, out: out.join("\n"), err: err.join("\n") };
  }

  it.each(
    documents.filter(
      (document) => isOfIt(document) && document.fences.some(({ language }) => /^s/.test(language)),
    ),
  )(
    "finds that every command of $path works",
    async (document) => {
      const blocks = document.fences.filter((fence) => fence.language === "sh" && !isListed(document, fence));
      const script = blocks.map(({ line, text }) => `echo '# ${document.path}:${line}'\n${addressed(text)}`);
      const { code, output } = await runScript(script.join("\n"), { folder, box, run: command });
      expect(code, output).toBe(0);
      for (const { language, text } of document.fences)
        if (language === "sql") await demo.database.sql.unsafe(text);
    },
    180_000,
  );
});

/** In README's order, so that a guide finds what earlier ones have created; Russian after English. */
function inReadingOrder(paths: readonly string[]): string[] {
  const listed = readFileSync(join(projectRoot, "README.md"), "utf8");
  const place = (path: string) => listed.lastIndexOf(path.replace(".ru.md", ".md"));
  const isRussian = (path: string) => Number(path.endsWith(".ru.md"));
  return [...paths].sort((a, b) => isRussian(a) - isRussian(b) || place(a) - place(b));
}
