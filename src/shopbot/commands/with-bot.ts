import { platformsOf } from "../../configured/index.ts";
import { type Common, configOf, type Terminal, withCore } from "../../terminal/index.ts";
import { type ShopBotParts, shopBotParts } from "../parts.ts";
import { createReplyCompiler } from "../work/compile-reply.ts";

/** Turns replies into messages; needs neither database nor network. */
export function replyCompiler(terminal: Terminal) {
  const config = configOf(terminal);
  return createReplyCompiler(platformsOf(config, terminal.environment));
}

/** Everything that a shop bot's owner may need, for as long as the work takes. */
export function withBot<T>(
  terminal: Terminal,
  options: Common,
  work: (deps: ShopBotParts, workspaceId: string) => Promise<T>,
): Promise<T> {
  return withCore(terminal, options, (core, workspaceId) => work(shopBotParts(core), workspaceId));
}
