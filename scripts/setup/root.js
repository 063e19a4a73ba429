import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone this script belongs to. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
