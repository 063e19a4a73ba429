import { expect, test } from "vitest";
import { listIn, numberIn, textIn } from "./form-values.ts";

const form = new FormData();
form.set("name", "  Касса ");
form.set("networks", "10.0.0.0/8\n 2001:db8::1,, 10.1.1.1 ");
form.set("rate", " 2.5 ");
form.set("blank", " ");

test("a form's values lose the spaces around them, and what was left empty has no number", () => {
  expect(textIn(form, "name")).toBe("Касса");
  expect(textIn(form, "absent")).toBe("");
  expect(numberIn(form, "rate")).toBe(2.5);
  expect(numberIn(form, "blank")).toBeUndefined();
});

test("a list may be typed on lines or with commas", () => {
  expect(listIn(form, "networks")).toEqual(["10.0.0.0/8", "2001:db8::1", "10.1.1.1"]);
  expect(listIn(form, "blank")).toEqual([]);
});
