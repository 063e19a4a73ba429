import { randomBytes } from "node:crypto";
import type { TwinContext } from "../shared/index.ts";
import { limits } from "./limits.ts";
import type { Message, Schedule, World } from "./model.ts";

/** The demo's account, with a public token and public keys. */
export const demoAccount = {
  token: "molva-demo-qstash-0000000000000000",
  keys: { current: "sig_molva_demo_current_0000000000", next: "sig_molva_demo_next_00000000000000" },
} as const;

export interface Store {
  readonly world: World;
  changed(): void;
  now(): number;
  newId(prefix: "msg" | "scd" | "dlq"): string;
  message(id: string): Message | undefined;
  schedule(id: string): Schedule | undefined;
  rotateKeys(): World["keys"];
  reset(): void;
}

const name = "qstash";

export function createStore({ state, clock }: Pick<TwinContext, "state" | "clock">): Store {
  const world = state.load<World>(name) ?? emptyWorld();
  const changed = () => state.changed(name, () => world);
  return {
    world,
    changed,
    now: () => clock.now(),
    newId: (prefix) => `${prefix}_${randomBytes(24).toString("base64url")}`,
    message: (id) => world.messages.find((message) => message.id === id),
    schedule: (id) => world.schedules.find((schedule) => schedule.id === id),
    rotateKeys() {
      world.keys = { current: world.keys.next, next: `sig_${randomBytes(18).toString("base64url")}` };
      changed();
      return world.keys;
    },
    reset() {
      Object.assign(world, emptyWorld());
      changed();
    },
  };
}

function emptyWorld(): World {
  return {
    token: demoAccount.token,
    keys: { ...demoAccount.keys },
    messages: [],
    schedules: [],
    dlq: [],
    remembered: [],
    scheduleQuota: limits.schedules,
    duplicates: 0,
    held: false,
    flaw: null,
    lastSignature: null,
  };
}
