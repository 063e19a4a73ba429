import fc from "fast-check";

/**
 * `npm test` uses the same random inputs each time, so that the same code gives the same result. MOLVA_TEST_SEED=random, or a
 * number, uses others.
 */
const { MOLVA_TEST_SEED: asked = "20261116" } = process.env;
if (asked !== "random") fc.configureGlobal({ seed: Number(asked) });
