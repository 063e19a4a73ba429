import { z } from "zod";
import { lineOfText } from "../../http/index.ts";
import { platformNames } from "../../platforms/index.ts";

/** Fields that several objects share. */

export const platform = z.enum(platformNames);

/** A name by which channels and limits refer to each other. */
export const key = lineOfText({ min: 1, max: 200 });

/** An id that the operator chooses. */
export const chosenId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "Up to 64 small Latin letters, digits, - and _; the first is a letter or a digit",
  );

/** Requests per second; null and 0 mean no limit. */
export const rate = z.number().min(0).max(1000).nullable();
