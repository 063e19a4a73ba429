/** Niches of businesses: which one it is, the disclaimer it needs, the style of its pictures. */
export { detectNiche } from "./detect-niche.ts";
export { disclaimerOf, disclaimers, isYmyl } from "./disclaimers.ts";
export { imagePresets } from "./image-presets.ts";
export { type Niche, nicheNames } from "./niches.ts";
