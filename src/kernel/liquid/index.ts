/** Liquid templates with limits on everything: they are rendered in the server's own process. */
export { createEngine, type Delimiters } from "./create-engine.ts";
export { templateLimits } from "./limits.ts";
export { liquidFault, type RenderedTemplate, type RenderOptions, renderLiquid } from "./render-liquid.ts";
export type { TemplateError } from "./template-error.ts";
export { textOf } from "./text-of.ts";
