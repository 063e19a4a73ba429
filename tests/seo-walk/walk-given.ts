/** How examples of a walk are written: data that are made anew for each step, files, empty purses, runs in any state. */
import { randomUUID } from "node:crypto";
import { mediaKinds, type Stored } from "../../src/dialogs/flow/flow.ts";
import type { Person } from "../../src/dialogs/testing/harness.ts";
import type { Example } from "../../src/dialogs/testing/walk.ts";
import { seal } from "../../src/seo/bot/connections/connecting.ts";
import type { RunCopy, Runs, Work } from "./walk-runs.ts";
import type { World } from "./walk-world.ts";

export type Examples = Readonly<Record<string, readonly Example[]>>;
type Making = Stored | (() => Stored | Promise<Stored>);

export type Given = ReturnType<typeof given>;

const rich = 1_000_000;

export function given(world: World, runs: Runs, person: Person) {
  const { services, whose, setBalance, hourLater } = world;

  const made =
    (data: Making, more: Making = {}) =>
    async (): Promise<Stored> => {
      await hourLater();
      return { ...(await madeOf(data)), ...(await madeOf(more)) };
    };

  return {
    ...{ world, runs, person },
    /** An example in which every button is tapped. */
    taps: (data: Making, more: Making = {}): Example => ({ data: made(data, more) }),
    types: (text: string, data: Making = {}): Example => ({ text, data: made(data) }),
    /** A file whose bytes the messenger has. */
    sends(kind: "document" | "photo" | "video", data: Making, name: string, bytes: Uint8Array): Example {
      const fileId = randomUUID();
      person.messenger.files.set(fileId, bytes);
      return { media: { kind, fileId, name, size: bytes.length }, data: made(data) };
    },
    /** Everything that is no document. */
    sendsOthers: (data: Making): Example[] =>
      mediaKinds
        .filter((kind) => kind !== "document")
        .map((kind) => ({ media: { kind, fileId: "any" }, data: made(data) })),
    wakes: (outcome: string, data: Making, more: Making = {}): Example => ({
      data: made(data, more),
      wake: { outcome },
    }),
    /** There are no tokens while it is tried. */
    poor: (example: Example): Example => ({
      ...example,
      before: () => setBalance(0),
      after: () => setBalance(rich),
    }),
    run: (work: Work, how: RunCopy) => runs.copy(work, how),
    /** A run that is nobody's. */
    noRun: "00000000-0000-4000-8000-000000000000",
    sealed: (secret: string) =>
      seal({ workspaceId: whose.workspaceId, chatId: String(whose.userId), services }, secret),
  };
}

async function madeOf(data: Making): Promise<Stored> {
  return typeof data === "function" ? data() : data;
}
