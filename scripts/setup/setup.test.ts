import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { copyOf, type SmallClone, smallClone } from "../../tests/support/small-clone.ts";

const setup = "scripts/setup.js";
let fresh: SmallClone;
let ready: SmallClone;
let clone: SmallClone;
const copies: SmallClone[] = [];

beforeAll(async () => {
  fresh = smallClone();
  ready = copyOf(fresh);
  await ready.run(setup);
});
beforeEach(() => use(fresh));
afterEach(() => copies.splice(0).forEach(remove));
afterAll(() => [fresh, ready].forEach(remove));

/** The clone of a test is a copy of one of the two. */
function use(original: SmallClone): void {
  clone = copyOf(original);
  copies.push(clone);
}

function remove({ root }: SmallClone): void {
  rmSync(root, { recursive: true, force: true });
}

const built = (name: string) => join(clone.root, "dist", name);

it("installs and builds a fresh clone, in production too, and then has nothing to do", async () => {
  const first = await clone.run(setup, { env: { NODE_ENV: "production" } });
  expect(first).toMatchObject({ status: 0, stdout: "" });
  expect(first.stderr).toMatch(
    /Installing packages…\n.*done in .*Building the server…\n.*Building the pages…\n/s,
  );
  for (const name of [
    "molva/main.js",
    "src/cli/main.js",
    "twins/index.js",
    "web/index.html",
    "web/playground.html",
  ])
    expect(existsSync(built(name))).toBe(true);
  expect(statSync(join(clone.root, "node_modules", ".bin", "molva")).isFile()).toBe(true);
  expect(existsSync(built(".lock"))).toBe(false);

  expect(await clone.run(setup)).toEqual({ status: 0, stdout: "", stderr: "" });
});

it("rebuilds only what changed and removes what a deleted source left", async () => {
  use(ready);
  unlinkSync(join(clone.root, "src", "extra.ts"));
  const again = await clone.run(setup);
  expect(again.stderr).toMatch(/^Building the server…\n( +… \d+ s\n)*Building the server: done in \d+ s\n$/);
  expect(existsSync(built("src/extra.js"))).toBe(false);
  expect(existsSync(built("src/cli/main.js"))).toBe(true);

  clone.write("console/index.html", "<!doctype html><title>another</title>");
  expect((await clone.run(setup)).stderr).toMatch(/^Building the pages…/);
  expect(readFileSync(built("web/index.html"), "utf8")).toContain("another");
});

it("takes packages installed by npm install as they are, and installs again when the lockfile changed", async () => {
  use(ready);
  unlinkSync(join(clone.root, "node_modules", ".molva-stamp"));
  expect((await clone.run(setup)).stderr).toBe("");

  const lockfile = join(clone.root, "package-lock.json");
  writeFileSync(lockfile, readFileSync(lockfile, "utf8").replaceAll('"1.0.0"', '"1.0.1"'));
  for (const tool of ["typescript", "vite"]) {
    const manifest = join(clone.root, "tools", tool, "package.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace("1.0.0", "1.0.1"));
  }
  expect((await clone.run(setup)).stderr).toMatch(/^Installing packages…/);
});

describe("when something is wrong", () => {
  it("shows the compiler's words and one sentence, and keeps the build that works", async () => {
    use(ready);
    clone.write("src/extra.ts", "export const extra: number = 'text';\n");
    const { status, stderr } = await clone.run(setup);
    expect(status).toBe(1);
    expect(stderr).toMatch(/src\/extra.ts\(1,14\): error TS2322.*\n\nThe server could not be built; .*\n$/s);
    expect(readFileSync(built("src/extra.js"), "utf8")).toContain("extra = 1");
    expect((await clone.run(setup)).status).toBe(1);
  });

  it("names the page that is missing", async () => {
    unlinkSync(join(clone.root, "console", "playground.html"));
    const { status, stderr } = await clone.run(setup);
    expect(status).toBe(1);
    expect(stderr).toContain("console/playground.html is missing");
  });

  it("says that the registry cannot be reached", async () => {
    const manifest = { version: "1.0.0", resolved: "http://127.0.0.1:1/far/-/far-1.0.0.tgz" };
    for (const name of ["package.json", "package-lock.json"]) {
      const content = JSON.parse(readFileSync(join(clone.root, name), "utf8"));
      const wants = name === "package.json" ? content : content.packages[""];
      wants.devDependencies.far = "1.0.0";
      if (content.packages) content.packages["node_modules/far"] = manifest;
      clone.write(name, JSON.stringify(content));
    }
    const env = { npm_config_registry: "http://127.0.0.1:1/", npm_config_fetch_retries: "0" };
    const { status, stderr } = await clone.run(setup, { env });
    expect(status).toBe(1);
    expect(stderr).toMatch(/ECONNREFUSED.*\n\nThe npm registry cannot be reached; [^\n]*\n$/s);
  });

  it.skipIf(process.getuid?.() !== 0)("says that the clone cannot be written", async () => {
    const { status, stderr } = await clone.run(setup, { uid: 65534 });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `There is no permission to write ${clone.root}; clone Molva into a folder of your own.\n`,
    });
  });

  it("tells a too old Node what is needed", async () => {
    clone.write("old.cjs", 'Object.defineProperty(process, "versions", { value: { node: "20.18.3" } });');
    for (const script of [setup, "bin/molva.js"]) {
      const { status, stderr } = await clone.run(script, {
        nodeArgs: ["--require", join(clone.root, "old.cjs")],
      });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: "Molva needs Node.js 20.19 or newer and this is 20.18.3; see https://nodejs.org.\n",
      });
    }
  });
});

describe("two at once", () => {
  it("share the work: the second waits and finds everything done", async () => {
    const both = await Promise.all([clone.run(setup), clone.run(setup)]);
    expect(both.map(({ status }) => status)).toEqual([0, 0]);
    const said = both.map(({ stderr }) => stderr).join("");
    expect(said.match(/Installing packages…/g)).toHaveLength(1);
    expect(said.match(/Waiting for another setup of this clone…/g)).toHaveLength(1);
  });

  it("take the lock of one that was killed", async () => {
    mkdirSync(built(".lock"), { recursive: true });
    const anHourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(built(".lock"), anHourAgo, anHourAgo);
    expect((await clone.run(setup)).status).toBe(0);
  });
});

it("runs a molva command after making the clone ready without a word", async () => {
  expect(await clone.run("bin/molva.js", { args: ["post", "Привет"] })).toEqual({
    status: 0,
    stdout: "molva post Привет\n",
    stderr: "",
  });
  clone.write("src/extra.ts", "export const extra = oops;\n");
  const broken = await clone.run("bin/molva.js");
  expect(broken).toMatchObject({ status: 1, stdout: "" });
  expect(broken.stderr).toContain("The server could not be built");
});
