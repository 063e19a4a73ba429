import { expect, it } from "vitest";
import { z } from "zod";
import { errorsFromIssues } from "./from-zod.ts";
import { inOurWords } from "./words.ts";

const kinds = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("a") }),
  z.object({ kind: z.literal("b") }),
]);

it.each<[string, z.ZodType, unknown]>([
  ["It is missing", z.string(), undefined],
  ["Text is needed", z.string(), 5],
  ["A number is needed", z.number(), "5"],
  ["A whole number is needed", z.int(), 1.5],
  ["true or false is needed", z.boolean(), 1],
  ["A list is needed", z.array(z.string()), {}],
  ["An object is needed", z.object({}), []],
  ["It must not be empty", z.string().min(1), ""],
  ["At least 3 characters are needed", z.string().min(3), "ab"],
  ["At most 3 characters are allowed", z.string().max(3), "abcd"],
  ["At least 2 entries are needed", z.array(z.string()).min(2), ["a"]],
  ["At least 1 is needed", z.number().min(1), 0],
  ["At most 1 is allowed", z.number().max(1), 2],
  ["More than 0 is needed", z.number().positive(), 0],
  ["One of a, b is needed", z.enum(["a", "b"]), "c"],
  ["a is needed", z.literal("a"), "c"],
  ["One of a, b is needed", kinds, { kind: "c" }],
  ["An e-mail address is needed", z.email(), "nobody"],
  ["A time with its zone is needed, as in 2026-11-15T12:00:00Z", z.iso.datetime({ offset: true }), "noon"],
  ["Own words win", z.string().min(3, "Own words win"), "a"],
])("%s", (words, schema, value) => {
  const read = schema.safeParse(value, inOurWords);
  expect(read.success ? [] : errorsFromIssues(read.error.issues).map(({ detail }) => detail)).toEqual([
    words,
  ]);
});
