import { expect, it } from "vitest";
import type { Inspected } from "../kernel/sealed/index.ts";
import { keysInUse } from "./sealed-stores.ts";

const aStore = (byKey: Record<string, number>, complete = true): Inspected => ({
  ...{ store: "payloads", rows: 0, byKey, unreadable: 0, named: [], complete },
});

it.each<[string, readonly Inspected[], readonly string[]]>([
  ["the first one, though nothing is stored yet", [], ["new"]],
  ["every one that opens something", [aStore({ new: 2 }), aStore({ old: 1 })], ["new", "old"]],
  [
    "all, if a store was not read to its end",
    [aStore({ new: 2 }), aStore({}, false)],
    ["new", "old", "older"],
  ],
])("the keys in use are %s", (_, found, expected) => {
  expect(keysInUse(["new", "old", "older"], found)).toEqual(expected);
});
