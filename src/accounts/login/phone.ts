import { z } from "zod";

/** A phone as people write it: blanks, dashes and brackets go, a plus and the country's code must be there. */
export const phone = z
  .string()
  .transform((text) => text.replace(/[\s()\u2010-\u2015-]/g, ""))
  .pipe(z.string().regex(/^\+\d{6,15}$/, "A phone with its country code, such as +7 901 234-56-78"))
  .describe("With the country's code: +7 901 234-56-78");
