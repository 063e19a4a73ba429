import type { AdminDeps } from "../workspaces/index.ts";
import type { Gateway } from "./gateway.ts";

export interface RouteDeps extends AdminDeps {
  readonly gateway: Gateway;
}
