import { expect, it } from "vitest";
import { returnPath } from "./return-path.ts";

it.each(["/", "/tokens", "/tokens?page=2", "/a/../b", "/%2F%2Fevil.example"])("a path stays: %s", (path) => {
  expect(returnPath(path)).toMatch(/^\/(?![/\\])/);
});

it("keeps path and query, and drops a fragment", () => {
  expect(returnPath("/tokens?page=2#x")).toBe("/tokens?page=2");
});

it.each([
  undefined,
  "",
  "tokens",
  "https://evil.example/",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "/\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/..//evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "javascript:alert(1)",
  "\\\\evil.example",
  "/http://",
])("everything that could lead elsewhere leads to the start: %j", (path) => {
  expect(["/", "/http://"]).toContain(returnPath(path));
});
