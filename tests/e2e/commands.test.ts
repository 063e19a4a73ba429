import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../src/kernel/paths/index.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { freePorts } from "../support/molva.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

/** The commands that run until they are told to stop, as processes. (`up` is in start.test.ts.) */
let database: TestDatabase;
const children: ChildProcess[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Running {
  output(): string;
  /** Sends the signal and answers with the exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  readonly ended: Promise<number | null>;
}

function molva(args: string[], environment: Record<string, string>): Running {
  const child = spawn(process.execPath, [join(projectRoot, "bin", "molva.js"), ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MOLVA_HOME: tempFolder("command"),
      MOLVA_ENV: "development",
      ...environment,
    },
  });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => (text += part));
  const ended = once(child, "close").then(([code]) => code);
  return {
    output: () => text,
    ended,
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

it("a command whose reader has seen enough ends without a stack trace", async () => {
  const child = spawn(process.execPath, [join(projectRoot, "bin", "molva.js"), "--help"]);
  children.push(child);
  child.stdout.destroy();
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part) => (said += part));
  await once(child, "close");
  expect(said).toBe("");
});

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
}

it("serve plays the named roles, tells its log when it is ready, and ends with 0 on SIGTERM", async () => {
  const { port } = await freePorts();
  const server = molva(["serve", "--role", "api", "dispatcher"], {
    DATABASE_URL: database.url,
    MOLVA_PORT: String(port),
  });
  await until("the server is ready", () => answers(`http://127.0.0.1:${port}/healthz/readiness`));
  await until("it said so", () => server.output().includes("molva is ready"));
  expect(server.output()).toContain('"roles":["api","dispatcher"]');
  expect(server.output()).not.toContain(database.url);
  expect(await server.stop("SIGTERM")).toBe(0);
  expect(server.output()).toContain("molva is stopping");
});

it("serve refuses a database that was not migrated, and a port that is taken", async () => {
  const empty = await testDatabase({ empty: true });
  const { port } = await freePorts();
  const refused = molva(["serve"], { DATABASE_URL: empty.url, MOLVA_PORT: String(port) });
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain("run `molva migrate` first");
  await empty.drop();

  const first = molva(["serve", "--role", "api"], { DATABASE_URL: database.url, MOLVA_PORT: String(port) });
  await until("the first is ready", () => answers(`http://127.0.0.1:${port}/healthz`));
  const second = molva(["serve", "--role", "api"], { DATABASE_URL: database.url, MOLVA_PORT: String(port) });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain("MOLVA_PORT");
  expect(second.output()).not.toMatch(/^\s+at /m);
  expect(await first.stop("SIGINT")).toBe(0);
});

it("twin runs the emulators alone, for this machine whatever MOLVA_HOST says, and ends with 0 on Ctrl-C", async () => {
  const { twinPort } = await freePorts();
  const twins = molva(["twin"], { MOLVA_TWIN_PORT: String(twinPort), MOLVA_HOST: "0.0.0.0" });
  await until("the twins answer", () => answers(`http://127.0.0.1:${twinPort}/_control/health`));
  await until("they said where", () => twins.output().includes(`http://127.0.0.1:${twinPort}`));
  // Who listens on every address answers at this one too.
  expect(await answers(`http://127.0.0.2:${twinPort}/_control/health`)).toBe(false);
  const taken = molva(["twin"], { MOLVA_TWIN_PORT: String(twinPort) });
  expect(await taken.ended).toBe(1);
  expect(taken.output()).toContain("MOLVA_TWIN_PORT");
  expect(await twins.stop("SIGINT")).toBe(0);
});
