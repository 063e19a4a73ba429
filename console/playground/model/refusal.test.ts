import { expect, it } from "vitest";
import { en } from "../texts/en.ts";
import { ru } from "../texts/ru.ts";
import { refusalIn } from "./refusal.ts";

it("a code of the messenger's server is shown as a sentence, any other reason as it is", () => {
  expect(refusalIn("BALANCE_TOO_LOW", ru)).toContain("Недостаточно Stars");
  expect(refusalIn("BALANCE_TOO_LOW", en)).toContain("Not enough Stars");
  expect(refusalIn("Цена изменилась", ru)).toBe("Кнопка не сработала: Цена изменилась");
});
