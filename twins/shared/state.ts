import { mkdirSync, readFileSync, renameSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StateStore, TwinLog } from "./contract.ts";

/** A state store that the host also flushes when it stops. */
export interface ClosableStateStore extends StateStore {
  flush(): Promise<void>;
}

const writeDelayMs = 300;
/** Writing may take at most a tenth of the time, however large the document is. */
const restPerWrite = 10;

/** Documents as `<folder>/<name>.json`, replaced atomically so that a crash leaves the old or the new one. */
export function folderStateStore(folder: string, log: TwinLog): ClosableStateStore {
  mkdirSync(folder, { recursive: true });
  const pending = new Map<string, () => unknown>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let delay = writeDelayMs;

  function load<T>(name: string): T | undefined {
    const file = fileOf(name);
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      const aside = `${file}.corrupt`;
      renameSync(file, aside);
      log.warn({ file, aside, error }, "the twins' state could not be read; starting empty");
      return undefined;
    }
  }

  function changed(name: string, snapshot: () => unknown): void {
    pending.set(name, snapshot);
    timer ??= setTimeout(() => void flush(), delay);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writePending);
    return writing;
  }

  async function writePending(): Promise<void> {
    const began = performance.now();
    for (const [name, snapshot] of [...pending]) {
      pending.delete(name);
      const file = fileOf(name);
      const draft = `${file}.tmp`;
      try {
        await writeFile(draft, JSON.stringify(snapshot()));
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        log.warn({ file, error }, "the twins' state could not be written; it lives in memory only");
      }
    }
    delay = Math.max(writeDelayMs, (performance.now() - began) * restPerWrite);
  }

  const fileOf = (name: string) => join(folder, `${name}.json`);
  return { load, changed, flush };
}

export function memoryStateStore(): ClosableStateStore {
  return { load: () => undefined, changed: () => {}, flush: async () => {} };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
