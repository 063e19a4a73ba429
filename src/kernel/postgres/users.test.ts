import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdPostgres, notDurable, type PostgresHolder } from "../../../tests/support/hold-postgres.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { projectRoot } from "../paths/index.ts";
import { removeEmbeddedPostgres, startEmbeddedPostgres } from "./index.ts";
import { livePostmaster } from "./postmaster.ts";
import { isAlive } from "./processes.ts";
import { canEnter } from "./run-as.ts";

const isRoot = process.getuid?.() === 0;
const nobody = { name: "nobody", ids: { uid: 65534, gid: 65534 } };
const othersCanRunThis = isRoot && canEnter(nobody, projectRoot);

let folder: string;
const holders: PostgresHolder[] = [];

beforeEach(() => {
  folder = tempFolder("users");
});

afterEach(async () => {
  for (const holder of holders.splice(0)) await holder.end("SIGTERM");
  await removeEmbeddedPostgres(join(folder, "home"));
  rmSync(folder, { recursive: true, force: true });
});

async function hold(home: string, uid?: number): Promise<PostgresHolder> {
  const holder = await holdPostgres({ home, ...(uid === undefined ? {} : { uid }) });
  holders.push(holder);
  return holder;
}

describe.skipIf(!isRoot)("as root", () => {
  it("runs as an unprivileged user that can reach the data in the home itself", async () => {
    const server = await startEmbeddedPostgres({ home: join(folder, "home"), settings: notDurable });
    expect(server.dataFolder).toBe(join(folder, "home", "pg"));
    expect(server.note).toMatch(/refuses to run as root, so it runs as/);
    expect(statSync(server.dataFolder).uid).not.toBe(0);
    await server.stop();
  });

  it("puts the data where that user can reach it when the home lets nobody else in, and sweeps it afterwards", async () => {
    chmodSync(folder, 0o700);
    const home = join(folder, "home");
    const { dataFolder, note } = (await hold(home)).started;
    expect(dataFolder).toMatch(/\/molva\/[0-9a-f]{16}\/pg$/);
    expect(note).toContain(dataFolder);
    const server = await livePostmaster(dataFolder);
    await holders[0]?.end("SIGTERM");
    expect((await hold(home)).started).toMatchObject({ dataFolder, fresh: false });

    // The clone is deleted while its server still runs.
    await holders[1]?.end("SIGKILL");
    rmSync(home, { recursive: true });
    const other = await startEmbeddedPostgres({ home: join(folder, "other"), settings: notDurable });
    await other.stop();
    expect(isAlive(server?.pid ?? 0)).toBe(false);
    expect(existsSync(dirname(dataFolder))).toBe(false);
    await removeEmbeddedPostgres(join(folder, "other"));
  });

  it("runs as the owner of a plain user's home, who can start it alone later", async () => {
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, nobody.ids.uid, nobody.ids.gid);
    const server = await startEmbeddedPostgres({ home, settings: notDurable });
    await server.stop();
    expect(statSync(server.dataFolder).uid).toBe(nobody.ids.uid);
    if (othersCanRunThis) expect((await hold(home, nobody.ids.uid)).started.fresh).toBe(false);
  });

  it("says the way out when the user it runs as is locked out of existing data", async () => {
    const home = join(folder, "home");
    const server = await startEmbeddedPostgres({ home, settings: notDurable });
    await server.stop();
    chmodSync(folder, 0o700);
    expect((await hold(home)).said).toMatchObject({
      code: "no_permission",
      message: expect.stringContaining("chmod o+x"),
    });
    chmodSync(folder, 0o755);
  });

  /** A small file system of its own at `home`. */
  function mount(options: string): string {
    const home = join(folder, "home");
    mkdirSync(home);
    execFileSync("mount", ["-t", "tmpfs", "-o", `mode=711,${options}`, "tmpfs", home]);
    return home;
  }

  function unmount(): void {
    execFileSync("umount", [join(folder, "home")]);
  }

  it.skipIf(!canMount())("says that the disk is full, and leaves nothing half-made", async () => {
    const home = mount("size=20m");
    try {
      await expect(startEmbeddedPostgres({ home, settings: notDurable })).rejects.toMatchObject({
        code: "disk_full",
        message: expect.stringMatching(/is full; .*MOLVA_HOME/),
      });
      expect(readdirSync(home)).toEqual([]);
    } finally {
      unmount();
    }
  });

  it.skipIf(!canMount())("says that the disk is full when it filled up later", async () => {
    const home = mount("size=120m");
    try {
      const server = await startEmbeddedPostgres({ home, settings: notDurable });
      await server.stop();
      expect(() => writeFileSync(join(home, "filler"), Buffer.alloc(120 * 1024 * 1024))).toThrow(/ENOSPC/);
      const refused = startEmbeddedPostgres({ home, settings: notDurable });
      await expect(refused).rejects.toMatchObject({ code: "disk_full" });
      rmSync(join(home, "filler"));
      const again = await startEmbeddedPostgres({ home, settings: notDurable });
      await again.stop();
      expect(again.fresh).toBe(false);
    } finally {
      unmount();
    }
  });

  it.skipIf(!canMount())("says that the folder is read-only", async () => {
    const home = mount("size=1m,ro");
    try {
      await expect(startEmbeddedPostgres({ home })).rejects.toMatchObject({
        code: "read_only",
        message: expect.stringContaining("MOLVA_HOME"),
      });
    } finally {
      unmount();
    }
  });

  it.skipIf(!othersCanRunThis)("as a user without a name says what is missing", async () => {
    chmodSync(folder, 0o777);
    expect((await hold(join(folder, "home"), 54_321)).said).toMatchObject({
      code: "no_user",
      message: expect.stringMatching(/54321.*\/etc\/passwd.*DATABASE_URL/),
    });
  });
});

describe.skipIf(isRoot && !othersCanRunThis)("as a plain user", () => {
  const uid = isRoot ? nobody.ids.uid : undefined;

  it("just runs, with everything in the home", async () => {
    chmodSync(folder, 0o777);
    const home = join(folder, "home");
    const { dataFolder, note } = (await hold(home, uid)).started;
    expect(dataFolder).toBe(join(home, "pg"));
    expect(note).toBeUndefined();
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it("says that a folder may not be written", async () => {
    chmodSync(folder, 0o555);
    const { said } = await hold(join(folder, "home"), uid);
    expect(said).toMatchObject({ code: "no_permission", message: expect.stringContaining("MOLVA_HOME") });
    chmodSync(folder, 0o755);
  });
});

function canMount(): boolean {
  if (!isRoot) return false;
  const probe = tempFolder("mount");
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", probe], { stdio: "ignore" });
    execFileSync("umount", [probe]);
    return true;
  } catch {
    return false; // a container without the right to mount
  } finally {
    rmSync(probe, { recursive: true });
  }
}
