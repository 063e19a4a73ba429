import fc from "fast-check";
import { inject } from "vitest";

// Chosen and printed once for the whole run (global-setup.ts).
fc.configureGlobal({ seed: inject("seed") });
