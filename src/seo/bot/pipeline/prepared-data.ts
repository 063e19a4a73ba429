/** What both pipelines remember until there is something to write: their choices, and the answers of the parts they are made of. */
import { z } from "zod";
import { describing, nothingDescribed } from "../categories/describe.ts";
import { keywordAnswers, noKeywordAnswers } from "../keywords/keyword-questions.ts";
import { noUploadAnswers, uploadAnswers } from "../keywords/keyword-upload.ts";
import { noAnswers, projectAnswers } from "../projects/project-questions.ts";

export const choiceShape = z.object({ id: z.int(), name: z.string() });
export type Choice = z.infer<typeof choiceShape>;

export const preparedData = z.object({
  ...{ projectId: z.int(), categoryId: z.int() },
  ...{ ...projectAnswers.shape, ...keywordAnswers.shape, ...uploadAnswers.shape, ...describing.shape },
  /** Of the project, for the offer to go on. */
  place: z.string(),
  /** The person wants to choose, even if there is one thing to choose from. */
  isChoosing: z.boolean(),
  /** The project was created on the way: it is not asked for. */
  isGiven: z.boolean(),
  choices: z.array(choiceShape),
  page: z.int(),
  /** The checklist is shown although nothing is missing, or was seen and found good enough. */
  isChecking: z.boolean(),
  isReady: z.boolean(),
  /** Tokens that the preparation took. */
  spent: z.int(),
});
export type Prepared = z.infer<typeof preparedData>;

export const nothingPrepared: Prepared = {
  ...{ projectId: 0, categoryId: 0 },
  ...{ ...noAnswers, ...noKeywordAnswers, ...noUploadAnswers, ...nothingDescribed },
  ...{ place: "", isChoosing: false, isGiven: false, choices: [], page: 1 },
  ...{ isChecking: false, isReady: false, spent: 0 },
};
