import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { flowsOf } from "../flow/flow.ts";
import { type Route, screensOf, type View } from "../flow/screens.ts";
import { aPerson } from "./harness.ts";
import { unwalked } from "./walk.ts";
import { screenFaults } from "./walk-screens.ts";
import { createWatch } from "./watch.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const { screen } = screensOf<object>();
const key = (label: string, to: string) => ({ label, to });

/** What the walk finds in a bot with a home and this one screen behind it. */
async function faultsWith(page: { view(language: "ru" | "en"): View | undefined; to?: readonly string[] }) {
  const screens: Route<object>[] = [
    screen("home", {
      to: ["page"],
      show: (_, { language }) => ({
        text: language === "ru" ? "Дом" : "Home",
        buttons: [[key(language === "ru" ? "Дальше" : "On", "page")]],
      }),
    }),
    screen("page", { to: page.to ?? ["home"], show: (_, { language }) => page.view(language) }),
  ];
  const settings = {
    sql: database.sql,
    flows: [],
    screens,
    services: {},
    home: "screen:home",
    longestText: 9_999,
  };
  const [person, abroad] = [await aPerson(settings), await aPerson({ ...settings, language: "en" as const })];
  return screenFaults({ person, abroad, screens, from: ["home"] });
}

const said = { ru: "Страница", en: "A page" };
const back = { ru: "Назад", en: "Back" };

describe("the walk through screens", () => {
  it("finds nothing wrong with a screen that is in order", async () => {
    const view = (language: "ru" | "en") => ({
      text: said[language],
      buttons: [[key(back[language], "home")]],
    });
    expect(await faultsWith({ view })).toEqual([]);
  });

  it("fails on a screen without a button", async () => {
    const view = (language: "ru" | "en") => ({ text: said[language], buttons: [] });
    expect(await faultsWith({ view })).toEqual(["page: no way on"]);
  });

  it("fails on a text over 4096 characters, which would be cut into messages", async () => {
    const view = (language: "ru" | "en") => ({
      ...{ text: said[language].repeat(600), buttons: [[key(back[language], "home")]] },
    });
    expect(await faultsWith({ view })).toEqual(["page: a text of 4800 characters"]);
  });

  it("fails on words that are the same in both languages, and on the key of a text", async () => {
    const same = (language: "ru" | "en") => ({ text: said[language], buttons: [[key("Zurück", "home")]] });
    expect(await faultsWith({ view: same })).toEqual(["page: “Zurück” is not translated"]);
    const raw = (language: "ru" | "en") => ({
      ...{ text: said[language], buttons: [[key(`common.back_${language}`, "home")]] },
    });
    expect(await faultsWith({ view: raw })).toEqual(["page: “common.back_ru” is no text for people"]);
  });

  it("fails on a button that no screen takes, one that is not declared, and one behind which nothing is", async () => {
    const view = (language: "ru" | "en") => ({
      text: said[language],
      buttons: [[key(back[language], "home"), key(language === "ru" ? "Туда" : "There", "nowhere:1")]],
    });
    expect(await faultsWith({ view })).toEqual([
      "page: [Туда] leads nowhere, to nowhere:1",
      "[Туда] of page leads to nowhere:1, undeclared",
      "nowhere:1 is no screen",
    ]);
    expect(await faultsWith({ view: () => undefined })).toEqual(["page leads to a screen that is not there"]);
  });
});

describe("the walk through flows", () => {
  const flow = flowsOf<object>();

  it("fails on a state from which nothing leads on, and on a text that is not translated", async () => {
    const dead = flow({
      ...{
        name: "Dead",
        title: { ru: "Тупик", en: "A dead end" },
        data: z.object({}),
        empty: {},
        first: "one",
      },
      ...{ inactivity: "never", rivals: "yield" },
      states: {
        one: {
          ask: { ru: "Вопрос", en: "A question" },
          text: { to: "two", take: () => ({}) },
          buttons: { on: { label: { ru: "Да", en: "Yes" }, to: "two" } },
        },
        two: {
          ask: { ru: "Welt", en: "Welt" },
          noBack: true,
          noCancel: true,
          text: { to: "@stay", take: () => ({}) },
        },
      },
    });
    const person = await aPerson({ sql: database.sql, flows: [dead], services: {} });
    const watch = createWatch({ flows: [dead] });
    const examples = { "Dead.one": [{}, { text: "a" }], "Dead.two": [{ text: "a" }] };
    expect(await unwalked({ sql: database.sql, person, flows: [dead], examples, watch })).toEqual([]);
    expect(watch.faults).toContain("Dead.states.two.ask: “Welt” is not translated");
    expect(watch.faults).toContain("Dead.one [on]: no way on");
  });
});
