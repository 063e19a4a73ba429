import { z } from "zod";

/** In the body of every order. */
export const requestKey = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe("A repeat with the same key begins nothing");
