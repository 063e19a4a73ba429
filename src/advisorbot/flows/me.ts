/** Plan, history and data deletion. */
import { z } from "zod";
import type { StepResult, Work } from "../../dialogs/index.ts";
import { backendErrorSchema } from "../backend/backend-error.ts";
import { historyShape, meShape } from "../backend/response-schemas.ts";
import { both, texts } from "../texts/index.ts";
import { broken, errorState, forgetting, showError, toMenu } from "./error-screen.ts";
import { askerOf, type BotServices, flow } from "./services.ts";

const meData = z.object({
  me: meShape.nullable(),
  items: historyShape.shape.items,
  trouble: backendErrorSchema.nullable(),
  again: z.enum(["looking", "recalling", "erasing"]).catch("looking"),
});
type MeData = z.infer<typeof meData>;
type MeWork = Work<MeData, BotServices>;

const itemsShown = 10;

export const me = flow({
  name: "Me",
  title: both((t) => t.me.title),
  data: meData,
  empty: { me: null, items: [], trouble: null, again: "looking" },
  first: "looking",
  entries: {
    commands: { me: { to: "looking" }, history: { to: "recalling" }, delete: { to: "sure" } },
  },
  rivals: "yield",
  inactivity: { minutes: 60, text: both((t) => t.menu.returned) },
  states: {
    looking: {
      ask: both((t) => t.moment),
      to: ["profile", "trouble"],
      failed: broken,
      async work(work: MeWork): Promise<StepResult<MeData, "profile" | "trouble">> {
        const found = await work.services.backend.me(askerOf(work), work.signal);
        return found.ok ? { to: "profile", data: { me: found.value } } : showError(found.error, "looking");
      },
    },
    profile: {
      ask: ({ me: known }, language) => (known ? texts[language].me.profile(known) : texts[language].moment),
      noBack: true,
      passesOn: true,
      buttons: {
        history: { label: both((t) => t.me.history), to: "recalling" },
        pro: {
          label: both((t) => t.openPro),
          when: ({ me: known }) => known?.plan === "free",
          to: "flow:Pro",
        },
        subscription: {
          label: both((t) => t.proOffer.manage),
          when: ({ me: known }) => known?.plan === "pro",
          to: "flow:Pro",
        },
        forget: { label: both((t) => t.me.forget), to: "sure" },
        menu: toMenu,
      },
    },
    recalling: {
      ask: both((t) => t.moment),
      to: ["history", "trouble"],
      failed: broken,
      async work(work: MeWork): Promise<StepResult<MeData, "history" | "trouble">> {
        const found = await work.services.backend.history(askerOf(work), itemsShown, work.signal);
        return found.ok
          ? { to: "history", data: { items: found.value } }
          : showError(found.error, "recalling");
      },
    },
    history: {
      ask: ({ items }, language) =>
        items.length > 0 ? texts[language].me.items(items) : texts[language].me.noHistory,
      noBack: true,
      passesOn: true,
      buttons: { profile: { label: both((t) => t.menu.me), to: "looking" }, menu: toMenu },
    },
    sure: {
      ask: both((t) => t.me.sure),
      noBack: true,
      buttons: {
        yes: { label: both((t) => t.me.yes), to: "erasing" },
        no: { label: both((t) => t.me.no), to: "flow:Menu" },
      },
    },
    erasing: {
      ask: both((t) => t.me.erasing),
      to: ["flow:Menu", "trouble"],
      failed: broken,
      work: (work: MeWork) => forgetting(work, null, "erasing", (t) => t.me.erased),
    },
    trouble: errorState((t) => t.needsPro.history, "looking", "recalling", "erasing"),
  },
});
