import { randomUUID } from "node:crypto";
import type { TwinContext } from "../shared/index.ts";
import { demoShop } from "./demo-shop.ts";
import type { Method, Payment, Refund, Shop, World } from "./model.ts";

/** The twin's state, with the look-ups that calls need. */
export interface Store {
  readonly world: World;
  changed(): void;
  now(): number;
  newNumber(): number;
  newId(): string;
  shop(id: string | undefined): Shop | undefined;
  payment(id: string | undefined): Payment | undefined;
  method(id: string | null | undefined): Method | undefined;
  refund(id: string | undefined): Refund | undefined;
  /** Newest first. */
  paymentsOf(shopId: string): Payment[];
  refundsOf(shopId: string): Refund[];
  reset(): void;
}

const name = "yookassa";

export function createStore({ state, clock }: Pick<TwinContext, "state" | "clock">): Store {
  const world = state.load<World>(name) ?? emptyWorld();
  const changed = () => state.changed(name, () => world);
  return {
    world,
    changed,
    now: () => clock.now() + world.aheadMs,
    newNumber() {
      world.lastId += 1;
      return world.lastId;
    },
    newId: () => randomUUID(),
    shop: (id) => world.shops.find((shop) => shop.id === id),
    payment: (id) => world.payments.find((payment) => payment.id === id),
    method: (id) => world.methods.find((method) => method.id === id),
    refund: (id) => world.refunds.find((refund) => refund.id === id),
    paymentsOf: (shopId) => world.payments.filter((payment) => payment.shopId === shopId).reverse(),
    refundsOf: (shopId) => world.refunds.filter((refund) => refund.shopId === shopId).reverse(),
    reset() {
      Object.assign(world, emptyWorld());
      changed();
    },
  };
}

function emptyWorld(): World {
  return {
    lastId: 0,
    shops: [demoShop()],
    payments: [],
    methods: [],
    refunds: [],
    remembered: [],
    notices: [],
    aheadMs: 0,
    duplicates: 0,
    held: false,
  };
}
