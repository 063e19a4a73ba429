import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aPerson } from "../testing/harness.ts";
import { menu, type ParcelServices, parcel, survey } from "../testing/parcel.ts";
import { unwalked } from "../testing/walk.ts";
import { registerFlows } from "./check.ts";
import { flowsOf } from "./flow.ts";
import { graphOf, mermaidOf, printGraph } from "./graph.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it("every edge of every flow can be walked", async () => {
  const flows = [menu, parcel, survey];
  const services: ParcelServices = {
    left: [],
    async order(_, { address }) {
      if (address === "nowhere") throw new Error("no courier");
      return { number: "1" };
    },
  };
  const person = await aPerson({ sql: database.sql, flows, services });
  const missing = await unwalked({
    sql: database.sql,
    person,
    flows,
    examples: {
      "Parcel.extras": [{ data: { extras: ["box"] } }],
      "Parcel.weight": [{ text: "6" }, { text: "6", data: { address: "Москва" } }],
      "Parcel.address": [{ text: "Москва, Тверская 1" }],
      "Parcel.code": [{ text: "12" }],
      "Parcel.photo": [{ media: { kind: "photo", fileId: "f" } }, { media: { kind: "voice" } }],
      "Parcel.ordering": [{ data: { size: "s" } }, { data: { size: "l" } }, { data: { address: "nowhere" } }],
      "Survey.opinion": [{ text: "хорошо" }],
      "Parcel.@start": [{ media: { kind: "photo", fileId: "f" } }],
      "Survey.@start": [{ text: "хорошо" }],
    },
  });
  expect(missing).toEqual([]);
});

it("an edge that no example walks is named, also one that begins a flow", async () => {
  const flows = [menu, parcel, survey];
  const services: ParcelServices = { left: [], order: async () => ({ number: "1" }) };
  const person = await aPerson({ sql: database.sql, flows, services });
  const missing = await unwalked({ sql: database.sql, person, flows: [survey], examples: {} });
  expect(missing).toEqual(["Survey.@start text → opinion", "Survey.opinion text → @stay"]);
});

it("a flow that the compiler lets pass and that cannot work is refused with every fault", () => {
  const both = { ru: "а", en: "a" };
  const broken = flowsOf<unknown>()({
    name: "Broken",
    title: both,
    data: z.object({}),
    empty: {},
    first: "one",
    inactivity: "never",
    entries: { commands: { cancel: { to: "one" } } },
    states: {
      one: { ask: both, buttons: { an_id_that_is_far_too_long: { label: both, to: "flow:Nobody" } } },
      lost: { ask: both, text: { to: "@stay", take: () => ({}) } },
      mute: { ask: both },
      // @ts-expect-error there is no such state
      wrong: { ask: both, text: { to: "nowhere", take: () => ({}) } },
    },
  });
  expect(() => registerFlows([broken, broken])).toThrow(/the name Broken belongs to two flows/);
  expect(() => registerFlows([broken])).toThrow(/cannot be a command/);
  expect(() => registerFlows([broken])).toThrow(
    /button an_id_that_is_far_too_long of one needs an id of at most 20/,
  );
  expect(() => registerFlows([broken])).toThrow(/unknown flow Nobody/);
  expect(() => registerFlows([broken])).toThrow(/state lost cannot be reached/);
  expect(() => registerFlows([broken])).toThrow(/state lost has no way out/);
  expect(() => registerFlows([broken])).toThrow(/state mute accepts nothing/);
  expect(() => registerFlows([broken])).toThrow(/unknown state nowhere/);
});

describe("the graph", () => {
  it("is printed as text and as a diagram", () => {
    const graph = graphOf(parcel);
    expect(printGraph(graph)).toContain("  size\n    [s] → extras\n    [l] → extras\n");
    expect(mermaidOf(graph)).toContain("  [*] --> size : /parcel");
    expect(mermaidOf(graph)).toContain("  ordering --> confirm : failed");
  });
});
