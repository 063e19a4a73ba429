import fc from "fast-check";

/**
 * A run that says something new of the same code says it at the wrong moment: `npm test` tries the same
 * random inputs each time. MOLVA_TEST_SEED=random, or a number, looks at others.
 */
const { MOLVA_TEST_SEED: asked = "20261116" } = process.env;
if (asked !== "random") fc.configureGlobal({ seed: Number(asked) });
