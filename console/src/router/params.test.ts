import { expect, test } from "vitest";
import { paramsOf } from "./params.ts";

test.each([
  ["/channels", "/channels", {}],
  ["/channels/:id", "/channels/c1", { id: "c1" }],
  ["/channels/:id", "/channels", null],
  ["/channels/:id", "/channels/", null],
  ["/channels/:id", "/posts/c1", null],
  ["/seo/users/:user/runs/:run", "/seo/users/77/runs/5", { user: "77", run: "5" }],
  ["/templates/:name", "/templates/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8", { name: "новости" }],
  ["/templates/:name", "/templates/%zz", { name: "%zz" }],
])("%s and %s give %j", (pattern, path, expected) => {
  expect(paramsOf(pattern, path)).toEqual(expected);
});
