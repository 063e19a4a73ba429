export { type Answer, answerCall, type ProviderCall, type StatusFault } from "./answer.ts";
export type * from "./contract.ts";
export { type Defined, definedOnly } from "./defined.ts";
export { type Download, type Downloaded, download } from "./download.ts";
export { fetchLoopback } from "./fetch-loopback.ts";
export { type ImageInfo, readImage } from "./image.ts";
export { InputError, queryNumber, readInput } from "./input.ts";
export { createRates, type Rate, type Rates } from "./rates.ts";
