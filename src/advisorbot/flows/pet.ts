/** The card of a stored pet (Pro). */
import { z } from "zod";
import type { StepResult, Work } from "../../dialogs/index.ts";
import { backendErrorSchema } from "../backend/backend-error.ts";
import { profileShape } from "../backend/response-schemas.ts";
import { both } from "../texts/index.ts";
import { broken, errorState, forgetting, showError, toMenu } from "./error-screen.ts";
import { cardText } from "./pet-card.ts";
import { askerOf, type BotServices, flow } from "./services.ts";

const petData = z.object({
  petId: z.string(),
  profile: profileShape,
  full: z.boolean(),
  trouble: backendErrorSchema.nullable(),
  again: z.enum(["looking", "removing"]).catch("looking"),
});
type PetData = z.infer<typeof petData>;
type PetWork = Work<PetData, BotServices>;

export const pet = flow({
  name: "Pet",
  title: both((t) => t.profile.title),
  data: petData,
  empty: { petId: "", profile: {}, full: false, trouble: null, again: "looking" },
  first: "looking",
  entries: { commands: { pet: { to: "looking" } } },
  rivals: "yield",
  inactivity: { minutes: 60, text: both((t) => t.menu.returned) },
  states: {
    looking: {
      ask: both((t) => t.profile.looking),
      to: ["card", "flow:PetEdit", "trouble"],
      failed: broken,
      async work(work: PetWork): Promise<StepResult<PetData, "card" | "trouble">> {
        const { backend } = work.services;
        const kept = await backend.kept(askerOf(work), work.signal);
        if (!kept.ok) return showError(kept.error, "looking");
        if (kept.value) return { to: "card", data: { petId: kept.value.id, profile: kept.value.profile } };
        // For unknown people the service does not report the plan here.
        const me = await backend.me(askerOf(work), work.signal);
        if (!me.ok) return showError(me.error, "looking");
        if (me.value.plan === "free")
          return showError({ kind: "pro_required", waitSeconds: null }, "looking");
        return { to: "flow:PetEdit", data: { petId: "", profile: {} } };
      },
    },
    card: {
      ask: ({ profile, full }, language) => cardText(profile, full, language),
      noBack: true,
      passesOn: true,
      buttons: {
        ask: { label: both((t) => t.profile.askAbout), to: "flow:Ask" },
        change: { label: both((t) => t.profile.change), to: "flow:PetEdit" },
        more: {
          label: both((t) => t.profile.more),
          when: ({ full }) => !full,
          to: "@stay",
          press: () => ({ data: { full: true } }),
        },
        less: {
          label: both((t) => t.profile.less),
          when: ({ full }) => full,
          to: "@stay",
          press: () => ({ data: { full: false } }),
        },
        remove: { label: both((t) => t.profile.remove), when: ({ full }) => full, to: "sure" },
        menu: toMenu,
      },
    },
    sure: {
      ask: both((t) => t.profile.removeSure),
      noBack: true,
      buttons: {
        yes: { label: both((t) => t.profile.removeYes), to: "removing" },
        no: { label: both((t) => t.profile.removeNo), to: "card" },
      },
    },
    removing: {
      ask: both((t) => t.me.erasing),
      to: ["flow:Menu", "trouble"],
      failed: broken,
      work: (work: PetWork) => forgetting(work, work.data.petId, "removing", (t) => t.profile.removed),
    },
    trouble: errorState((t) => t.needsPro.card, "looking", "removing"),
  },
});
