import { apiRootsOf, platformsOf } from "../configured/index.ts";
import { createReplyCompiler, type ShopBotParts, shopBotParts } from "../shopbot/index.ts";
import type { Common } from "./administer.ts";
import { configOf, type Terminal } from "./command.ts";
import { withCore } from "./with-core.ts";

/** Turns replies into messages; needs neither database nor network. */
export function replyCompiler(terminal: Terminal) {
  const config = configOf(terminal);
  return createReplyCompiler(platformsOf(config, apiRootsOf(config, terminal.environment, undefined)));
}

/** Everything that a shop bot's owner may need, for as long as the work takes. */
export function withBot<T>(
  terminal: Terminal,
  options: Common,
  work: (deps: ShopBotParts, workspaceId: string) => Promise<T>,
): Promise<T> {
  return withCore(terminal, options, (core, workspaceId) => work(shopBotParts(core), workspaceId));
}
