/**
 * The style guide of a project: measured by code and described by a model from texts that its owner likes, given to prompts as
 * `style_guide`, and compared with what is written.
 */
export { checkStyle, deviationText } from "./check-style.ts";
export { compareStyle, leastCompared, type StyleDeviation } from "./compare-style.ts";
export { featuresSchema, guideSchema, type StyleFeatures, type StyleGuide } from "./guide.ts";
export { guideText } from "./guide-text.ts";
export { measureStyle } from "./measure-style.ts";
export { likedTexts, orderStyle } from "./order-style.ts";
export { styleRoutes } from "./routes.ts";
export { styleResult, styleRun } from "./style-run.ts";
export { keepStyle, readStyle, removeStyle, styleGuideFor } from "./styles.ts";
