import { describe, expect, it } from "vitest";
import { chooseForToday } from "./choose-for-today.ts";

const tasks = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"];
const roomOf = (copies: number) => (task: string) => ({ key: task.slice(0, 1), copies });

describe("what today has room for", () => {
  it("is everything, in its order, when nothing limits it", () => {
    expect(chooseForToday(tasks, roomOf(10))).toEqual(tasks);
  });

  it("is a text in as many chats as it may be repeated", () => {
    expect(chooseForToday(tasks, roomOf(2.7))).toEqual(["a1", "a2", "b1", "b2", "c1"]);
  });

  it("is a share of every text when fewer messages may go", () => {
    expect(chooseForToday(tasks, roomOf(10), 4)).toEqual(["a1", "a2", "b1", "c1"]);
  });

  it("is nothing when nothing may go", () => {
    expect(chooseForToday(tasks, roomOf(10), 0)).toEqual([]);
    expect(chooseForToday(tasks, roomOf(0.4))).toEqual([]);
  });
});
