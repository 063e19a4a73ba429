/** The question for a category's name: asked by its own flow, and inside the pipelines. */
import type { AskState, StepContext, StepResult, Targets } from "../../../dialogs/index.ts";
import { addCategory } from "../../categories/categories.ts";
import type { Category } from "../../categories/shape.ts";
import { nameField, readField } from "../../projects/field.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, type Texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import { goneHome, leading, orHome } from "./gone.ts";

export interface CategoryName<Data, Name extends string> {
  /** What is asked, if not what the flow of its own asks. */
  readonly ask?: (t: Texts) => string;
  readonly to: Targets<Name>;
  projectId(data: Data): number;
  /** With the category, once it is there. */
  created(
    turn: StepContext<Data, BotServices>,
    category: Category,
  ): StepResult<Data, Name> | Promise<StepResult<Data, Name>>;
}

export function categoryName<Data, Name extends string>({
  ask = (t) => t.categories.create.name,
  to,
  projectId,
  created,
}: CategoryName<Data, Name>): AskState<Data, Name, BotServices> {
  return {
    ask: both(ask),
    text: {
      to: orHome(to),
      async take(turn, typed) {
        const read = readField(nameField, typed);
        if (!read.ok) return { refuse: read.said[turn.language] };
        const category = await ifFound(() =>
          addCategory(inStep(turn), whoseOf(turn), projectId(turn.data), { name: read.value }),
        );
        return category ? leading(await created(turn, category), to) : goneHome(turn);
      },
    },
  };
}
