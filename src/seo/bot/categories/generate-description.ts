import { z } from "zod";
import { inactivity } from "../limits.ts";
import { flow } from "../services.ts";
import { both } from "../texts/index.ts";
import { describe, describing, dropDescription, nothingDescribed } from "./describe.ts";

export const descriptionStates = {
  ask: "confirm",
  writing: "generating",
  review: "review",
  manual: "manual",
} as const;
type Name = (typeof descriptionStates)[keyof typeof descriptionStates];

const data = z.object({ ...describing.shape, categoryId: z.int() });
type Data = z.infer<typeof data>;

const states = describe<Data, Name>({
  names: descriptionStates,
  to: "screen:category:{id}:description",
  categoryId: ({ categoryId }) => categoryId,
  done: ({ data: { categoryId } }) => ({ to: `screen:category:${categoryId}:description` }),
});

export const generateDescription = flow({
  name: "DescriptionGenerate",
  title: both((t) => t.categories.description.flow),
  data,
  empty: { ...nothingDescribed, categoryId: 0 },
  first: descriptionStates.ask,
  rivals: "replace",
  inactivity,
  // A text that is merely left waits a day for its person on the category's screen; then its tokens go back.
  async leave(turn, why) {
    if (why === "cancelled") await dropDescription(turn);
  },
  states: {
    confirm: states.ask,
    generating: states.writing,
    review: states.review,
    manual: states.manual,
  },
});
