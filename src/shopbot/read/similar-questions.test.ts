import { expect, it } from "vitest";
import { groupSimilar } from "./similar-questions.ts";

const ask = (text: string, chatId: string, minute = 0) => ({
  text,
  chatId,
  at: new Date(Date.UTC(2026, 10, 15, 12, minute)),
});

it("questions about the same are one group, the most frequent first, with the words they share", () => {
  const groups = groupSimilar([
    ask("Есть ли у вас подарочные сертификаты?", "1", 1),
    ask("подарочный сертификат есть?", "2", 2),
    ask("Можно подарочный сертификат", "2", 3),
    ask("Во сколько закрываетесь?", "3", 4),
    ask("🌼", "4", 5),
    ask("🌼", "5", 6),
  ]);
  expect(groups.map(({ count, chats }) => [count, chats])).toEqual([
    [3, 2],
    [2, 2],
    [1, 1],
  ]);
  expect(groups[0]?.words).toEqual(expect.arrayContaining(["подар", "серти"]));
  expect(groups[0]?.last_at).toEqual(new Date(Date.UTC(2026, 10, 15, 12, 3)));
  expect(groups[1]?.example).toBe("🌼");
});

it("nothing asked is no group", () => {
  expect(groupSimilar([])).toEqual([]);
});
