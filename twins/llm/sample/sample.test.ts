import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tagsIn } from "../tasks/tags.ts";
import { tasteOf } from "../words.ts";
import { accepts } from "./accepts.ts";
import { sample } from "./sample.ts";
import type { Schema } from "./schema.ts";

const question = {
  text: "Чем кормить кота?",
  media: { images: [], sounds: [] },
  seed: "1",
  tags: tagsIn(""),
};
const answer = (schema: Schema, text = question.text) =>
  sample(schema, (attempt) => tasteOf({ ...question, text }, attempt));

describe("an answer to a schema", () => {
  // covers llm: A twin for OpenRouter and OpenAI
  test.each<[string, Schema]>([
    ["anything", true],
    [
      "a closed object",
      { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
    ],
    ["words of a list", { enum: ["low", "high"] }],
    ["one value", { const: { a: [1, null] } }],
    ["numbers within bounds", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 0.25 }],
    ["whole numbers of a step", { type: "integer", minimum: 7, maximum: 40, multipleOf: 7 }],
    ["a text that is long enough", { type: "string", minLength: 300, maxLength: 320 }],
    ["a text that is short enough", { type: "string", maxLength: 3 }],
    ["a pattern", { type: "string", pattern: "^#[0-9a-f]{6}$" }],
    [
      "a pattern with groups",
      { type: "string", pattern: "^(?:\\+7|8)[ -]?\\(?\\d{3}\\)?(?:[ -]?\\d{2,3}){3}$" },
    ],
    ["a pattern of Russian letters", { type: "string", pattern: "^[А-ЯЁ][а-яё]+\\s\\p{L}{2,}$" }],
    ["a date", { type: "string", format: "date" }],
    [
      "a list of at least so many different things",
      { type: "array", items: { type: "integer", minimum: 1, maximum: 6 }, minItems: 5, uniqueItems: true },
    ],
    [
      "a list by places",
      { type: "array", prefixItems: [{ type: "string" }, { type: "boolean" }], items: false },
    ],
    [
      "a list that contains something",
      { type: "array", items: { type: "integer" }, contains: { minimum: 500 }, minItems: 1 },
    ],
    [
      "one of several",
      {
        oneOf: [
          { type: "integer", minimum: 3 },
          { type: "string", maxLength: 2 },
        ],
      },
    ],
    ["something or nothing", { anyOf: [{ type: "null" }, { type: "string" }] }],
    ["several types", { type: ["string", "null"] }],
    [
      "all of several",
      {
        allOf: [
          { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
          { properties: { b: { type: "string" } }, required: ["b"] },
        ],
      },
    ],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "string", maxLength: 9 } } }],
    [
      "a tree that ends",
      {
        type: "object",
        properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
        required: ["name", "children"],
        additionalProperties: false,
      },
    ],
    [
      "a list that ends",
      {
        anyOf: [
          { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] },
          { type: "null" },
        ],
      },
    ],
    ["names of any kind", { type: "object", additionalProperties: { type: "number" }, minProperties: 3 }],
    [
      "names of a pattern",
      {
        type: "object",
        patternProperties: { "^x-[a-z]{3}$": { type: "string" } },
        additionalProperties: false,
        minProperties: 2,
      },
    ],
    ["anything but", { type: "integer", minimum: 0, maximum: 3, not: { enum: [0, 1, 2] } }],
    [
      "a condition",
      JSON.parse(
        '{"type":"object","properties":{"kind":{"enum":["a","b"]},"size":{"type":"integer"}},"required":["kind"],"if":{"properties":{"kind":{"const":"a"}}},"then":{"required":["size"]}}',
      ),
    ],
  ])("is %s", (_, schema) => {
    const value = answer(schema);
    expect(value).toBeDefined();
    expect(accepts(schema, value)).toBe(true);
  });

  // covers llm: A twin for OpenRouter and OpenAI
  test("is there for every schema that zod writes", () => {
    const leaf = fc.constantFrom<z.ZodType>(
      z.string(),
      z.string().min(5).max(20),
      z.email(),
      z.uuid(),
      z.iso.datetime(),
      z.number(),
      z.int().min(3).max(4),
      z.number().gt(0).lt(1),
      z.boolean(),
      z.null(),
      z.enum(["раз", "два"]),
      z.literal(7),
      z.string().regex(/^[a-z]{2,4}\d?$/),
    );
    const schemas = fc.letrec<{ any: z.ZodType; object: z.ZodType }>((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        leaf,
        tie("object"),
        tie("any").map((inner) => z.array(inner).max(4)),
        tie("any").map((inner) => z.array(inner).min(2)),
        tie("any").map((inner) => inner.nullable()),
        fc.array(tie("any"), { minLength: 1, maxLength: 3 }).map((options) => z.union(options)),
        tie("any").map((inner) => z.record(z.string(), inner)),
        fc
          .array(tie("any"), { minLength: 1, maxLength: 2 })
          .map(([first, second]) =>
            second ? z.tuple([first ?? z.null(), second]) : z.tuple([first ?? z.null()]),
          ),
      ),
      object: fc
        .dictionary(fc.constantFrom("answer_text", "level", "items", "count", "ok"), tie("any"), {
          maxKeys: 4,
        })
        .map((shape) => z.object(shape)),
    })).object;
    fc.assert(
      fc.property(schemas, (schema) => {
        const described = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { target: "draft-7" })));
        const value = answer(described);
        expect(value).toBeDefined();
        expect(schema.safeParse(value).success).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test("has the opinion that the question calls for", () => {
    const schema = {
      type: "object",
      properties: {
        safety_level: { enum: ["low", "medium", "high"] },
        should_go_to_vet: { type: "boolean" },
      },
      required: ["safety_level", "should_go_to_vet"],
    };
    expect(answer(schema)).toEqual({ safety_level: "low", should_go_to_vet: false });
    expect(answer(schema, "У кота судороги")).toEqual({ safety_level: "high", should_go_to_vet: true });
  });

  test("is nothing where nothing can be", () => {
    expect(answer({ type: "integer", minimum: 5, maximum: 4 })).toBeUndefined();
    expect(answer(false)).toBeUndefined();
  });
});
