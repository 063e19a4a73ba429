/** Which script shows which row of the document, as a table of docs/reference/dialog-scripts.md. */
import { caseRows, faultRows, stepRows } from "./document-rows.ts";
import type { TakenStep } from "./house.ts";

export interface Walk {
  readonly name: string;
  readonly text: string;
  readonly steps: readonly TakenStep[];
}

const nobody = "**nobody**";

/** `KeywordGeneration.confirm → end` and the like, of one script. */
function stepsOf({ steps }: Walk): Set<string> {
  return new Set(steps.map(({ from, to }) => `${from} → ${to === "" ? "end" : to.split(".")[1]}`));
}

function wasIn({ steps }: Walk, state: string): boolean {
  return steps.some(({ from, to }) => from === state || to === state);
}

/**
 * Every row, and a script that shows it: the one that the page names as long as it does, else the first. Which scripts do is looked up
 * in what they walked through just now.
 */
export function rowTables(walks: readonly Walk[], page: string): string {
  const taken = new Map(walks.map((walk) => [walk.name, stepsOf(walk)]));
  const written = new Set(page.split("\n"));
  const row = (begin: string, names: readonly string[]) => {
    const rows = names.map((name) => `${begin} \`${name}\` |`);
    return rows.find((each) => written.has(each)) ?? rows[0] ?? `${begin} ${nobody} |`;
  };
  const faults = faultRows.map(({ flow, step, says }) => {
    const by = walks.filter((walk) => wasIn(walk, `${flow}.${step}`) && walk.text.includes(says));
    return row(
      `| ${flow} | ${step} | ${says} |`,
      by.map(({ name }) => name),
    );
  });
  const steps = stepRows.map(({ flow, step, test }) => {
    const by = walks.filter(({ name }) => taken.get(name)?.has(`${flow}.${step}`)).map(({ name }) => name);
    return row(`| ${flow} | ${step} |`, test === undefined ? by : [test]);
  });
  const cases = caseRows.map(({ id, says }) => {
    const by = walks.filter(({ text }) => text.includes(says)).map(({ name }) => name);
    return row(`| ${id} | ${says.replaceAll("|", "\\|")} |`, by);
  });
  return [
    "| Flow | Step | What the bot says | Shown by |",
    "| --- | --- | --- | --- |",
    ...faults,
    "",
    "| Flow | Transition | Shown by |",
    "| --- | --- | --- |",
    ...steps,
    "",
    "| Case | What the bot says | Shown by |",
    "| --- | --- | --- |",
    ...cases,
  ].join("\n");
}

/** Rows that no script shows. */
export function unshown(tables: string): string[] {
  return tables.split("\n").filter((line) => line.includes(nobody));
}

const marks = { from: "<!-- rows: from here -->", to: "<!-- rows: to here -->" };

export function withTables(page: string, tables: string): string {
  const [before = "", rest = ""] = page.split(marks.from);
  const [, after = ""] = rest.split(marks.to);
  return `${before}${marks.from}\n\n${tables}\n\n${marks.to}${after}`;
}
