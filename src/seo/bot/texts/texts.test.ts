import { describe, expect, it } from "vitest";
import { en } from "./en/index.ts";
import { ru } from "./ru/index.ts";

type Tree = { readonly [key: string]: unknown };

/** Every text by its path; a function is written as its source, so that its words can be looked at. */
function leavesOf(tree: unknown, path = ""): [string, string][] {
  if (typeof tree === "string") return [[path, tree]];
  if (typeof tree === "function") return [[path, String(tree)]];
  if (Array.isArray(tree)) return tree.flatMap((each, index) => leavesOf(each, `${path}.${index}`));
  if (tree === null || typeof tree !== "object") return [];
  return Object.entries(tree as Tree).flatMap(([key, each]) => leavesOf(each, path ? `${path}.${key}` : key));
}

const russian = new Map(leavesOf(ru));
const english = new Map(leavesOf(en));

describe("the bot's texts", () => {
  it("are the same in both languages, key by key", () => {
    expect([...english.keys()].toSorted()).toEqual([...russian.keys()].toSorted());
  });

  it("are none of them empty, nor longer than a message", () => {
    const odd = [...russian, ...english].filter(([, text]) => text.trim() === "" || text.length > 4_096);
    expect(odd).toEqual([]);
  });

  it("have no Russian among the English, names aside", () => {
    const names = /«[^»]*»|АДМИНКА|GOD_MODE/g;
    // What is sent to a search for phrases, not read by the person.
    const isSearched = (key: string) => /placeNames|[a-z]Name$/.test(key);
    const untranslated = [...english].filter(
      ([key, text]) => !isSearched(key) && /[а-яё]/i.test(text.replace(names, "")),
    );
    expect(untranslated).toEqual([]);
  });

  it("say «вы» with a small letter in the middle of a sentence", () => {
    const loud = [...russian].filter(([, text]) => /[а-яё,] (?:Вы|Вас|Вам|Ваш[а-яё]*)(?![а-яё])/.test(text));
    expect(loud).toEqual([]);
  });
});
