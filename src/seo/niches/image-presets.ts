import type { Niche } from "./niches.ts";

/** How pictures of a niche look, for prompts of image models. Niches without a preset have no style of their own. */
export const imagePresets: Partial<Readonly<Record<Niche, string>>> = {
  medical: "clean clinical setting, white and light blue, soft even light, sterile surfaces",
  legal: "office with dark wood, leather and books, restrained warm light",
  finance: "blue and white palette, modern office, precise geometry",
  realestate: "bright interior, wide angle, HDR, daylight",
  food: "warm light, macro, shallow depth of field, appetising texture",
  beauty: "pastel palette, soft diffused light, smooth textures",
  construction: "industrial setting, real materials and tools, daylight",
  auto: "studio light, clean reflections, dark gradient background",
};
