import type { GuardDeps } from "../../../delivery/index.ts";
import type { Metrics } from "../../../kernel/metrics/index.ts";
import type { SubscriptionDeps } from "../../subscription/keep-subscribed.ts";
import type { CompileReply } from "../../work/compile-reply.ts";
import type { SetupDeps } from "../bot-setup.ts";

export interface BotRoutesDeps extends SetupDeps, SubscriptionDeps, GuardDeps {
  readonly metrics: Metrics;
  readonly compile: CompileReply;
  /** The address at which MAX reaches this server. */
  readonly publicUrl: () => string;
}
