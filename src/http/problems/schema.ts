import { z } from "zod";

/** The shape of every error answer, for the OpenAPI document and for clients that want to parse it. */
export const problemSchema = z.object({
  type: z.string().describe("Where the code is explained"),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe("What happened this time, for people"),
  code: z.string().describe("Stable, for machines"),
  errors: z.array(
    z.object({
      pointer: z.string().describe("JSON pointer to the field"),
      detail: z.string(),
    }),
  ),
});
