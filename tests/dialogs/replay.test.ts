/**
 * Plays the scripts of this folder. With MOLVA_RECORD=1 (`npm run dialogs:record`) the bot's lines are written anew.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { botFlows } from "../../src/seo/bot/bot.ts";
import type { SeoBotHarness } from "../support/seo-bot.ts";
import { startHouse, stepsTaken, type TakenStep } from "./house.ts";
import { PlayError, play } from "./play.ts";
import { rowTables, unshown, withTables } from "./shown-rows.ts";
import { claimOf, createTurns, inOrder } from "./turns.ts";

const folder = import.meta.dirname;
const records = process.env.MOLVA_RECORD === "1";
const scripts = readdirSync(folder)
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const reference = join(folder, "../../docs/reference/dialog-scripts.md");

/** A broadcast reaches everybody, and everybody is counted: such scripts are played before the rest. */
const isAlone = ({ text }: (typeof scripts)[number]) => /^Дано: администратор/m.test(text);
const inTurn = createTurns();

let harness: SeoBotHarness;
/** What every script walked through. */
const walked = new Map<string, readonly TakenStep[]>();
/** What every script showed. */
const shown = new Map<string, string>();

beforeAll(async () => {
  harness = await startHouse();
});
afterAll(() => harness.close());

/** The same for a script in every run. */
const numberOf = (name: string) =>
  100_000_000 +
  (Number.parseInt(createHash("sha256").update(name).digest("hex").slice(0, 8), 16) % 800_000_000);

async function replay({ name, text }: (typeof scripts)[number]): Promise<void> {
  const { text: played, person } = await play(text, harness, numberOf(name)).catch((error: unknown) => {
    if (records && error instanceof PlayError) writeFileSync(join(folder, name), error.text);
    throw error;
  });
  if (person) walked.set(name, await stepsTaken(harness, person.id));
  shown.set(name, played);
  if (records) writeFileSync(join(folder, name), played);
  else expect(played).toBe(text);
}

describe("a dialogue as it is written", { timeout: 240_000 }, () => {
  it.each(scripts.filter(isAlone))("$name", (script) => replay(script));

  const others = inOrder(
    scripts.filter((each) => !isAlone(each)).map((each) => ({ ...each, claim: claimOf(each.text) })),
  );
  it.concurrent.each(others)("$name", (script) => inTurn(script.claim, () => replay(script)));
});

describe("all scripts together", () => {
  it("go through every flow of the bot", () => {
    const seen = new Set([...walked.values()].flat().flatMap(({ from, to }) => [flowOf(from), flowOf(to)]));
    const names = botFlows.map(({ name }) => name);
    expect(names.filter((name) => !seen.has(name))).toEqual([]);
  });

  it("show every sentence and every transition that the document of dialogues prescribes, as the reference says", () => {
    const walks = scripts.map(({ name, text }) => ({
      ...{ name, text: shown.get(name) ?? text, steps: walked.get(name) ?? [] },
    }));
    const page = readFileSync(reference, "utf8");
    const tables = rowTables(walks, page);
    if (records) writeFileSync(reference, withTables(page, tables));
    expect(unshown(tables)).toEqual([]);
    if (!records) expect(page).toBe(withTables(page, tables));
  });
});

const flowOf = (state: string) => state.split(".")[0] ?? "";
