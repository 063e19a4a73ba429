/** A category's description, written by a model or by hand: asked by its own flow, and inside the pipelines. */
import { z } from "zod";
import type {
  AskState,
  StepContext,
  StepResult,
  Target,
  Targets,
  WaitState,
} from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { changeCategory } from "../../categories/categories.ts";
import { descriptionField } from "../../categories/shape.ts";
import { readField } from "../../projects/field.ts";
import { readRun } from "../../runs/read-runs.ts";
import { regenerateText, saveText } from "../../texts/decide-on-text.ts";
import { descriptionResult } from "../../texts/description-run.ts";
import { orderDescription } from "../../texts/order-description.ts";
import { receiptText } from "../runs/receipt.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { wasStopped } from "../runs/was-stopped.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { againLabel, againOf, againShape, noneAgain } from "./again.ts";
import { costOf, costShape, costText, isShort, noCost } from "./cost.ts";
import { goneHome, leading, orHome } from "./gone.ts";

/** What the flow's data have to include. */
export const describing = z.object({
  describing: z.object({
    runId: z.string(),
    text: z.string(),
    /** What the person should know about it; empty if there is nothing. */
    warning: z.string(),
    again: againShape,
    cost: costShape,
    /** Another text cannot be paid for. */
    isShort: z.boolean(),
  }),
});
export type Describing = z.infer<typeof describing>;
export const nothingDescribed: Describing = {
  describing: { runId: "", text: "", warning: "", again: noneAgain, cost: noCost, isShort: false },
};

/** How it ended: with the model's text, with the person's own, or without any. */
export type Described = "saved" | "written" | "dropped";

export interface Describe<Data extends Describing, Name extends string> {
  /** How the flow calls the states. */
  readonly names: Readonly<Record<"ask" | "writing" | "review" | "manual", Name>>;
  /** What is asked first, if not what the flow of its own asks; with a choice between a model and one's own hand. */
  readonly choice?: (t: Texts) => string;
  readonly to: Targets<Name>;
  /** Where [Top up] leads. */
  readonly topUp?: Target<Name>;
  categoryId(data: Data): number;
  done(
    turn: StepContext<Data, BotServices>,
    how: Described,
  ): StepResult<Data, Name> | Promise<StepResult<Data, Name>>;
}

interface States<Name extends string> {
  readonly ask: AskState<Describing, Name, BotServices>;
  readonly writing: WaitState<Describing, Name, BotServices>;
  readonly review: AskState<Describing, Name, BotServices>;
  readonly manual: AskState<Describing, Name, BotServices>;
}

/** As much of the text as fits into a message with what stands around it. */
const longestShown = 3_500;

/** `{ ask, writing, review, manual }`: states for the flow to place under its own names. */
export function describe<Data extends Describing, Name extends string>(
  given: Describe<Data, Name>,
): States<Name> {
  const { names, choice, to, topUp = "screen:tariffs", categoryId, done }: Describe<Describing, Name> = given;
  type Turn = StepContext<Describing, BotServices>;
  type Result = StepResult<Describing, Name>;
  const change = ({ data }: Turn, changes: Partial<Describing["describing"]>): Partial<Describing> => ({
    describing: { ...data.describing, ...changes },
  });
  const finish = async (turn: Turn, how: Described, notice: string): Promise<Result> => {
    const result = leading(await done(turn, how), to);
    return result.refuse === undefined ? { ...result, notice: result.notice ?? notice } : result;
  };
  const topUpButton = (when: (data: Describing) => boolean) =>
    ({ label: both((t) => t.common.topUp), style: "primary", to: topUp, when }) as const;

  return {
    ask: {
      ask: ({ describing: { cost } }, language) => {
        const say = texts[language].categories.description;
        return `${choice ? `${choice(texts[language])}\n\n${say.choice}` : say.confirm}\n\n${costText(cost, language)}`;
      },
      prepare: {
        async take(turn) {
          const cost = await costOf(turn, "description");
          return { data: change(turn, { cost, runId: "", text: "", isShort: isShort(cost) }) };
        },
      },
      buttons: {
        generate: {
          label: ({ describing: { cost } }, language) => {
            const say = texts[language].categories.description;
            return choice ? say.generate(texts[language].common.tokens(cost.tokens)) : say.yes;
          },
          style: "success",
          when: ({ describing: { cost } }) => !isShort(cost),
          to: [names.writing, "@stay", "screen:dashboard"],
          async press(turn) {
            const services = inStep(turn);
            const ordered = await ifFound(() =>
              attempted(() =>
                orderDescription(services, services.kinds.description, whoseOf(turn), categoryId(turn.data)),
              ),
            );
            if (!ordered) return goneHome(turn);
            // Shown again with the balance as it is now, which says whether a top-up helps.
            if (!ordered.ok) return { to: "@stay", notice: saidOf(ordered.problem, turn.language) };
            return { to: names.writing, data: change(turn, { runId: ordered.value.run_id }) };
          },
        },
        top_up: topUpButton(({ describing: { cost } }) => isShort(cost)),
        manual: {
          label: both((t) => t.categories.description.manual),
          to: names.manual,
          when: ({ describing: { cost } }) => choice !== undefined || isShort(cost),
        },
      },
    },
    writing: waitForRun<Describing, Name>({
      ask: both((t) => t.categories.description.writing),
      runId: (data) => data.describing.runId,
      outcomes: {
        review: {
          to: [names.review, names.ask],
          async take(turn) {
            if (!(await wasStopped(turn, turn.data.describing.runId))) return { to: names.review };
            await dropDescription(turn);
            return { to: names.ask, notice: texts[turn.language].runs.stopped };
          },
        },
        cancelled: {
          to: names.ask,
          take: ({ language }) => ({ notice: texts[language].runs.stopped }),
        },
        failed: {
          to: names.ask,
          take: async (turn) => ({ notice: await failureOf(turn) }),
        },
      },
    }),
    review: {
      ask: ({ describing: { text, warning } }, language) => {
        const say = texts[language].categories.description;
        const shown = text.length > longestShown ? `${cut(text, longestShown)}…` : text;
        return [say.review, shown, ...(warning === "" ? [] : [warning])].join("\n\n");
      },
      noBack: true,
      noCancel: true,
      prepare: {
        to: [names.ask],
        async take(turn) {
          const run = await runOf(turn);
          const result = run && descriptionResult.safeParse(run.result);
          if (run?.status !== "review" || !result?.success)
            return { to: names.ask, notice: texts[turn.language].categories.description.outdated };
          const { text, regenerations, warning } = result.data;
          const again = againOf(turn, run, regenerations);
          return { data: change(turn, { text, again, warning: warning?.[turn.language] ?? "" }) };
        },
      },
      buttons: {
        save: {
          label: both((t) => t.common.save),
          style: "success",
          to: [...orHome(to), "@stay"],
          async press(turn) {
            const saved = await ifFound(() =>
              attempted(() => saveText(inStep(turn), whoseOf(turn), turn.data.describing.runId)),
            );
            if (!saved) return goneHome(turn);
            // Looked at again: a text that was decided on meanwhile is not offered any more.
            if (!saved.ok) return { to: "@stay", notice: saidOf(saved.problem, turn.language) };
            const say = texts[turn.language].categories.description;
            const run = await runOf(turn);
            const receipt = run ? `\n\n${receiptText(run, turn.language)}` : "";
            return finish(turn, "saved", `${say.saved}${receipt}`);
          },
        },
        regenerate: {
          label: ({ describing: { again } }, language) => againLabel(again, language),
          to: [names.writing, "@stay", "screen:dashboard"],
          async press(turn) {
            const { runId } = turn.data.describing;
            const begun = await ifFound(() =>
              attempted(() => regenerateText(inStep(turn), whoseOf(turn), runId)),
            );
            if (!begun) return goneHome(turn);
            if (begun.ok) return { to: names.writing, data: change(turn, { isShort: false }) };
            const { code } = begun.problem;
            return {
              to: "@stay",
              data: change(turn, { isShort: code === "too_few_tokens" }),
              notice: saidOf(begun.problem, turn.language),
            };
          },
        },
        top_up: topUpButton((data) => data.describing.isShort),
        drop: {
          label: both((t) => t.common.cancel),
          to,
          async press(turn) {
            await dropDescription(turn);
            return finish(turn, "dropped", texts[turn.language].categories.description.dropped);
          },
        },
      },
    },
    manual: {
      ask: both((t) => t.categories.description.byHand),
      text: {
        to: orHome(to),
        async take(turn, typed) {
          const read = readField(descriptionField, typed);
          if (!read.ok) return { refuse: read.said[turn.language] };
          const category = await ifFound(() =>
            changeCategory(inStep(turn), whoseOf(turn), categoryId(turn.data), { description: read.value }),
          );
          if (!category) return goneHome(turn);
          return finish(turn, "written", texts[turn.language].categories.description.saved);
        },
      },
    },
  };
}

/** Stops the text that is written or waits for a decision, if there is one; its tokens go back. */
export async function dropDescription(turn: StepContext<Describing, BotServices>): Promise<void> {
  const { runId } = turn.data.describing;
  if (runId !== "") await inStep(turn).runs.cancel({ ...whoseOf(turn), runId });
}

function runOf(turn: StepContext<Describing, BotServices>) {
  const { runId } = turn.data.describing;
  const { workspaceId, userId } = whoseOf(turn);
  return ifFound(() => readRun(inStep(turn).sql, workspaceId, runId, userId));
}

async function failureOf(turn: StepContext<Describing, BotServices>): Promise<string> {
  const run = await runOf(turn);
  const say = texts[turn.language].categories.description;
  return run?.error?.message[turn.language] ?? say.outdated;
}
