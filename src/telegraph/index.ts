/** Previews of articles on telegra.ph: a client, not a channel. */
export type { Patience } from "./call.ts";
export type { TelegraphNode } from "./nodes.ts";
export type { Failure, PageResult } from "./result.ts";
export { createTelegraph, type Preview, type Telegraph } from "./telegraph.ts";
export { failureText } from "./texts.ts";
export { type Nodes, toNodes } from "./to-nodes.ts";
