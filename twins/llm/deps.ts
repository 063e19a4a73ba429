import type { Rates, TwinContext } from "../shared/index.ts";
import type { Brand } from "./brand.ts";
import type { Store } from "./store.ts";

export interface Deps {
  readonly brand: Brand;
  readonly context: TwinContext;
  readonly store: Store;
  readonly rates: Rates;
}
