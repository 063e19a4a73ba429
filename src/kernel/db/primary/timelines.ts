import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The highest timeline that was seen of each database system (`initdb` makes a new one). */
export interface Timelines {
  seen(system: string): number;
  note(system: string, timeline: number): void;
  /** From now on they are kept in this folder, too: a process that starts later knows what those before it have seen. */
  keepIn(folder: string): void;
}

const fileName = "database-timelines.json";
const shape = z.record(z.string(), z.int());

export function createTimelines(): Timelines {
  const seen = new Map<string, number>();
  let folder: string | undefined;

  /** What other processes on this machine have seen meanwhile. */
  function readOthers(): void {
    if (folder === undefined) return;
    for (const [system, timeline] of Object.entries(readFrom(join(folder, fileName))))
      raise(system, timeline);
  }

  function raise(system: string, timeline: number): boolean {
    if (timeline <= (seen.get(system) ?? 0)) return false;
    seen.set(system, timeline);
    return true;
  }

  return {
    seen(system) {
      readOthers();
      return seen.get(system) ?? 0;
    },
    note(system, timeline) {
      readOthers();
      if (!raise(system, timeline) || folder === undefined) return;
      write(folder, Object.fromEntries(seen));
    },
    keepIn(place) {
      folder = place;
    },
  };
}

/** Those of this process: every pool and command in it must agree. */
export const timelinesHere = createTimelines();

/** A note that cannot be read or written must not keep Molva from its database: then each process knows what it has seen itself. */
function readFrom(path: string): Readonly<Record<string, number>> {
  try {
    return shape.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return {};
  }
}

function write(folder: string, timelines: Readonly<Record<string, number>>): void {
  const path = join(folder, fileName);
  const fresh = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(fresh, JSON.stringify(timelines));
    renameSync(fresh, path);
  } catch {
    // As above.
  }
}
