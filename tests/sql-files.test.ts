import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { readMigrationSources } from "../src/kernel/db/index.ts";

const { functions } = await readMigrationSources();
const isTriggers = (path: string) => path.endsWith("_triggers.sql");
const firstWord = (path: string) => path.split("/")[0];

it("has every function in the file of its name, in the folder of its schema", () => {
  const misplaced = functions
    .filter(({ path }) => !isTriggers(path))
    .filter(({ path, text }) => {
      const [, made] = /^create or replace function ([\w.]+)/m.exec(text) ?? [];
      return made !== `${firstWord(path)}.${basename(path, ".sql")}`;
    });
  expect(misplaced.map(({ path }) => path)).toEqual([]);
});

it("has each function name of a schema in one file", () => {
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of functions)
    for (const [, made = ""] of text.matchAll(/^create or replace function ([\w.]+)/gm))
      homes.set(made, (homes.get(made) ?? new Set()).add(path));
  expect([...homes].filter(([, paths]) => paths.size > 1)).toEqual([]);
});

it("has triggers in the file of their table and nowhere else", () => {
  const misplaced = functions.filter(({ path, text }) => {
    const tables = [...text.matchAll(/^create or replace trigger[^;]*? on \w+\.(\w+)/gm)].map(
      ([, table]) => table,
    );
    if (!isTriggers(path)) return tables.length > 0;
    return (
      dirname(path) !== firstWord(path) ||
      tables.some((table) => `${table}_triggers.sql` !== basename(path)) ||
      text.includes("create or replace function")
    );
  });
  expect(misplaced.map(({ path }) => path)).toEqual([]);
});
