import { z } from "zod";

export const providerToken = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{8,1000}$/, "8 to 1000 printable characters without spaces");

export const environmentName = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,99}$/, "A name of capital letters, digits and _");
