import type { ScreenKey } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { changeCategory, readCategory } from "../../categories/categories.ts";
import { descriptionKind } from "../../texts/description-run.ts";
import { action, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { costOf } from "./cost.ts";
import { nothingDescribed } from "./describe.ts";
import { descriptionStates } from "./generate-description.ts";
import { waitingText } from "./waiting-text.ts";

/** A description has at most 4000 characters; a message 4096. */
const longestShown = 3_500;

export const description = screen("category:{id}:description", {
  to: [
    ...["category:{id}:description:generate", "category:{id}:description:manual"],
    ...["category:{id}:description:waiting", "category:{id}:description:delete", "category:{id}:card"],
  ],
  async show({ id }, visit) {
    const { categories, common } = texts[visit.language];
    const say = categories.description;
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    if (!category) return undefined;
    const { tokens } = await costOf(visit, "description");
    const waiting = await waitingText(visit, descriptionKind, id);
    const to = (what: string) => `category:${id}:description:${what}`;
    const text = category.description;
    const shown = text && (text.length > longestShown ? `${cut(text, longestShown)}…` : text);
    const resume: ScreenKey[] = waiting
      ? [{ label: waiting.isReady ? say.look : say.follow, to: to("waiting"), style: "primary" }]
      : [];
    return {
      text: `${say.title(category.name)}\n\n${shown ?? say.empty}`,
      buttons: [
        resume,
        [{ label: say.generate(common.tokens(tokens)), to: to("generate"), style: "success" }],
        [{ label: say.manual, to: to("manual") }],
        text === null ? [] : [{ label: say.remove, to: to("delete"), style: "danger" }],
        [{ label: common.toCategory, to: `category:${id}:card` }],
      ],
    };
  },
});

const generating = { to: ["flow:DescriptionGenerate"] } as const;

export const generate = action("category:{id}:description:generate", {
  ...generating,
  async act({ id }, visit) {
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    return category && { data: { categoryId: id } };
  },
});

export const writeByHand = action("category:{id}:description:manual", {
  ...generating,
  async act({ id }, visit) {
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    return category && { data: { categoryId: id }, state: descriptionStates.manual };
  },
});

/** Goes on with a text that was left before a decision. */
export const waitingDescription = action("category:{id}:description:waiting", {
  to: ["flow:DescriptionGenerate", "category:{id}:description"],
  async act({ id }, visit) {
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    if (!category) return undefined;
    const waiting = await waitingText(visit, descriptionKind, id);
    const say = texts[visit.language].categories.description;
    if (!waiting) return { to: `category:${id}:description`, notice: say.outdated };
    return {
      to: "flow:DescriptionGenerate",
      state: waiting.isReady ? descriptionStates.review : descriptionStates.writing,
      data: { categoryId: id, describing: { ...nothingDescribed.describing, runId: waiting.runId } },
    };
  },
});

export const askToDeleteDescription = screen("category:{id}:description:delete", {
  to: ["category:{id}:description:delete:yes", "category:{id}:description"],
  async show({ id }, visit) {
    const { categories, removal, common } = texts[visit.language];
    const category = await ifFound(() => readCategory(visit.sql, whoseOf(visit), id));
    if (!category) return undefined;
    return {
      text: categories.description.askToRemove(category.name),
      buttons: [
        [{ label: removal.yes, to: `category:${id}:description:delete:yes`, style: "danger" }],
        [{ label: common.cancel, to: `category:${id}:description` }],
      ],
    };
  },
});

export const deleteDescription = action("category:{id}:description:delete:yes", {
  to: ["category:{id}:description"],
  async act({ id }, visit) {
    const changed = await ifFound(() =>
      changeCategory(inStep(visit), whoseOf(visit), id, { description: null }),
    );
    const notice = texts[visit.language].categories.description.removed;
    return changed && { to: `category:${id}:description`, notice };
  },
});
