/** The questionnaire about a pet, and changes to its card, which are kept here until saved. */
import { z } from "zod";
import type { StepResult, Work } from "../../dialogs/index.ts";
import { backendErrorSchema } from "../backend/backend-error.ts";
import { profileShape } from "../backend/response-schemas.ts";
import { healthTags, longest } from "../subject.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { broken, errorText, mayPass, proButton, showError, wantsPro } from "./error-screen.ts";
import { always, byType, choose, laid, line, walks, weight, whenNew } from "./profile-fields.ts";
import { askerOf, type BotServices, flow } from "./services.ts";

export const editShape = z.object({
  /** The stored profile; empty for a new pet. */
  profile: profileShape,
  changes: profileShape,
  requestId: z.string(),
  tag: z.enum(healthTags),
  trouble: backendErrorSchema.nullable(),
  again: z.enum(["saving"]).catch("saving"),
});
export type EditData = z.infer<typeof editShape>;
type EditWork = Work<EditData, BotServices>;

const isNew = ({ profile }: EditData) => profile.type === undefined;
const isDirty = ({ changes }: EditData) => Object.keys(changes).length > 0;
const isOther = ({ profile, changes }: EditData) => laid(profile, changes).type === "other";
const section = <Name extends string>(label: keyof Texts["profile"]["label"], to: Name, row: number) => ({
  label: both((t) => t.profile.label[label]),
  when: (data: EditData) => !isNew(data),
  to,
  row,
});
const fresh = ({ services }: { services: BotServices }) => ({ data: { requestId: services.newId() } });

export const petEdit = flow({
  name: "PetEdit",
  title: both((t) => t.profile.editing),
  data: editShape,
  empty: { profile: {}, changes: {}, requestId: "", tag: "other", trouble: null, again: "saving" },
  first: "edit",
  inactivity: { minutes: 60, text: both((t) => t.profile.expired) },
  cancelled: both((t) => t.profile.discarded),
  // Cancelling a field discards only that field; all changes are discarded only on confirmation.
  cancelTo(data, state) {
    if (state === "leaving") return undefined;
    if (!isNew(data) && state !== "edit") return "edit";
    return isDirty(data) ? "leaving" : undefined;
  },
  states: {
    edit: {
      ask: (data, language) =>
        isNew(data) ? texts[language].profile.begin : texts[language].profile.edit(isDirty(data)),
      noBack: true,
      buttons: {
        begin: { label: both((t) => t.profile.beginNow), when: isNew, to: "type" },
        name: section("name", "name", 1),
        age: section("age_text", "age", 1),
        sex: section("sex", "sex", 2),
        sterilized: section("sterilized_status", "sterilized", 2),
        breed: { ...section("breed", "breed", 3), when: (data) => !isNew(data) && !isOther(data) },
        animal: { ...section("animal_kind", "animal", 3), when: (data) => !isNew(data) && isOther(data) },
        weight: section("weight_kg", "weight", 3),
        health: section("health", "health", 4),
        vaccines: section("vaccines", "vaccines", 4),
        parasites: section("parasites", "parasites", 5),
        living: section("lifestyle", "living", 5),
        note: section("owner_note", "note", 6),
        save: { label: both((t) => t.profile.save), when: isDirty, to: "saving", press: fresh },
        leave: {
          label: both((t) => t.profile.leave),
          // Nothing to finish before the first question.
          when: (data) => !isNew(data) || isDirty(data),
          to: ["leaving", "flow:Pet"],
          press: ({ data }) => ({ to: isDirty(data) ? "leaving" : "flow:Pet" }),
        },
      },
    },
    type: choose("type", always("name")),
    name: line("name", whenNew(always("age"))),
    age: line("age_text", whenNew(always("sex"))),
    sex: choose("sex", whenNew(always("sterilized"))),
    sterilized: choose("sterilized_status", whenNew(byType("other", "animal", "breed"))),
    breed: line("breed", whenNew(always("weight"))),
    animal: line("animal_kind", whenNew(always("weight"))),
    // The first questionnaire is saved automatically; later changes by the person.
    weight: weight(whenNew(always("saving"))),
    health: {
      ask: both((t) => t.profile.ask.health),
      noBack: true,
      buttons: {
        tag: {
          label: { ru: "", en: "" },
          each: (_, language) => healthTags.map((arg) => ({ arg, label: texts[language].profile.tag[arg] })),
          to: "health_note",
          press: (_, arg) => ({ data: { tag: healthTags.find((tag) => tag === arg) ?? "other" } }),
        },
        done: { label: both((t) => t.profile.done), to: "edit" },
      },
    },
    health_note: {
      ask: ({ tag }, language) => texts[language].profile.ask.note(texts[language].profile.tag[tag]),
      noBack: true,
      text: {
        to: "health",
        take: ({ data, language }, typed) => noted(data, typed, language),
      },
      buttons: { skip: { label: both((t) => t.skip), to: "health" } },
    },
    vaccines: choose("vaccines", always("vaccine_details")),
    vaccine_details: line("vaccine_details", always("edit")),
    parasites: choose("parasites", always("parasite_details")),
    parasite_details: line("parasite_details", always("edit")),
    note: line("owner_note", always("edit")),
    living: choose("housing", always("outdoor")),
    outdoor: choose("outdoor", always("diet")),
    diet: choose("diet_type", always("activity")),
    // Only dogs are walked.
    activity: choose("activity_level", byType("dog", "walks", "edit")),
    walks: walks(always("edit")),
    leaving: {
      ask: both((t) => t.profile.leaving),
      noBack: true,
      noCancel: true,
      buttons: {
        save: { label: both((t) => t.profile.save), to: "saving", press: fresh },
        discard: {
          label: both((t) => t.profile.discard),
          to: ["flow:Pet", "flow:Menu"],
          press: ({ data }) => ({ to: isNew(data) ? "flow:Menu" : "flow:Pet" }),
        },
        stay: { label: both((t) => t.profile.stay), to: "edit" },
      },
    },
    saving: {
      ask: both((t) => t.profile.saving),
      to: ["flow:Pet", "trouble"],
      failed: broken,
      async work(work: EditWork): Promise<StepResult<EditData, "trouble">> {
        const { services, data, language, signal, id } = work;
        const saved = await services.backend.keep(askerOf(work), data.requestId || id, data.changes, signal);
        return saved.ok
          ? { to: "flow:Pet", say: [texts[language].profile.saved] }
          : showError(saved.error, "saving");
      },
    },
    trouble: {
      ask: errorText,
      noBack: true,
      buttons: {
        again: { label: both((t) => t.again), when: mayPass, to: "saving", press: fresh },
        pro: { ...proButton, when: wantsPro },
        edit: { label: both((t) => t.profile.stay), to: "edit" },
      },
    },
  },
});

function noted(data: EditData, typed: string, language: "ru" | "en"): StepResult<EditData, "health"> {
  const note = typed.trim();
  if (note === "" || note.length > longest.note) return { refuse: texts[language].profile.wrong.note };
  return { data: { changes: laid(data.changes, { health: { notes_by_tag: { [data.tag]: note } } }) } };
}
