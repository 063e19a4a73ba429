import type { DoorDeps } from "../../../delivery/index.ts";
import type { SubscriptionDeps } from "../../subscription/keep-subscribed.ts";
import type { CompileReply } from "../../work/compile-reply.ts";
import type { SetupDeps } from "../setup.ts";

/** What the owner's routes need. */
export interface BotRoutesDeps extends SetupDeps, SubscriptionDeps, DoorDeps {
  readonly compile: CompileReply;
  /** Where MAX reaches this server. */
  readonly publicUrl: () => string;
}
