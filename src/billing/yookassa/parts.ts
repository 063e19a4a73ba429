import { setTimeout as pause } from "node:timers/promises";
import { settingsOf } from "../../kernel/config/index.ts";
import { type Core, perCore } from "../../workspaces/index.ts";
import { billingSettings } from "../environment.ts";
import { createYooKassa, type Shop } from "./client.ts";
import type { CardDeps } from "./deps.ts";
import { loopbackNetworks } from "./networks.ts";

/** The twin's shop; its key is public. */
const demoShop = { id: "100500", secretKey: "test_molva-demo-00000000000000000000" } as const;

export interface CardParts {
  readonly deps: CardDeps;
  /** Where notifications may come from. */
  readonly networks: readonly string[];
  /** The twin's address, if its shop is used. */
  readonly twinsUrl: string | undefined;
}

/** Payments by card as configured; undefined if they are not. */
export const cardPartsOf = perCore((core): CardParts | undefined => {
  const settings = settingsOf(core, billingSettings);
  const twinsUrl = standsIn(core) ? core.twinsUrl : undefined;
  const shop = shopOf(core, twinsUrl);
  if (!shop) return undefined;
  const { sql, clock, log, http } = core;
  return {
    deps: {
      ...{ sql, clock, log },
      yookassa: createYooKassa({ shop, http, pause: (ms) => pause(ms) }),
      language: settings.YOOKASSA_LANGUAGE,
      receipts:
        settings.YOOKASSA_RECEIPTS === "on"
          ? {
              vatCode: settings.YOOKASSA_VAT_CODE,
              paymentSubject: settings.YOOKASSA_PAYMENT_SUBJECT,
              paymentMode: settings.YOOKASSA_PAYMENT_MODE,
              taxSystemCode: settings.YOOKASSA_TAX_SYSTEM,
            }
          : undefined,
    },
    networks: [...settings.YOOKASSA_NETWORKS, ...(twinsUrl === undefined ? [] : loopbackNetworks)],
    twinsUrl,
  };
});

/** The twin's shop is used while twins run and no shop was set up. */
function standsIn(core: Core): boolean {
  const { YOOKASSA_SHOP_ID } = settingsOf(core, billingSettings);
  return YOOKASSA_SHOP_ID === undefined && !core.environment.YOOKASSA_API_ROOT?.trim();
}

function shopOf(core: Core, twinsUrl: string | undefined): Shop | undefined {
  const { YOOKASSA_SHOP_ID, YOOKASSA_SECRET_KEY, YOOKASSA_API_ROOT } = settingsOf(core, billingSettings);
  if (YOOKASSA_SHOP_ID !== undefined && YOOKASSA_SECRET_KEY !== undefined)
    return { id: YOOKASSA_SHOP_ID, secretKey: YOOKASSA_SECRET_KEY, apiRoot: YOOKASSA_API_ROOT };
  return twinsUrl === undefined ? undefined : { ...demoShop, apiRoot: `${twinsUrl}/yookassa/v3` };
}
