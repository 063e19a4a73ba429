/** Style by measured lift: turns of phrase that machines use more than people, and the document's list of filler. */
export { type FoundMarker, lintStyle, type StyledSentence, type StyleReport, variationOf } from "./lint.ts";
export { type Marker, markers, sources, weightOf } from "./markers.ts";
