import { expect, it } from "vitest";
import { gather } from "./gather.ts";

/** Answers when told to; remembers each batch. */
function anOracle() {
  const asked: number[][] = [];
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  const askAll = async (items: readonly number[]): Promise<number[]> => {
    asked.push([...items]);
    if (asked.length === 1) await closed;
    if (items.includes(13)) throw new Error("thirteen");
    return items.map((item) => item * 2);
  };
  return { asked, askAll, open: () => open() };
}

it("asks at once when nothing is under way, and together for whatever comes meanwhile, in its order", async () => {
  const { asked, askAll, open } = anOracle();
  const ask = gather(askAll, { most: 3 });
  const answers = [1, 2, 3, 4, 5].map(ask);
  expect(asked).toEqual([[1]]);
  open();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
  expect(asked).toEqual([[1], [2, 3, 4], [5]]);
  expect(await ask(6)).toBe(12);
});

it("fails only the one that caused the error", async () => {
  const { asked, askAll, open } = anOracle();
  const ask = gather(askAll);
  const answers = [1, 2, 13, 4].map(ask);
  open();
  const ends = await Promise.allSettled(answers);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(asked).toEqual([[1], [2, 13, 4], [2], [13], [4]]);
  await expect(ask(13)).rejects.toThrow("thirteen");
  expect(await ask(7)).toBe(14);
});
