import { z } from "zod";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { SeoProblem } from "../problems.ts";
import { readProject } from "../projects/projects.ts";
import type { Sources } from "../sources/sources.ts";
import { refusedAddress } from "../sources/texts.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { blocksOf, givenPage, givenText, textLimits, wordsOfBlocks } from "./given-texts.ts";
import type { styleRun } from "./style-run.ts";

/** What a style is learned from. */
export const likedTexts = z.strictObject({
  texts: z.array(givenText).max(textLimits.most).default([]),
  urls: z.array(givenPage).max(textLimits.most).default([]).describe("Pages on the public web"),
});
export type LikedTexts = z.infer<typeof likedTexts>;

/** Orders the learning of a project's style. Costs nothing, but counts as a text within the hour. */
export async function orderStyle(
  deps: OrderDeps & { readonly sources: Pick<Sources, "checkAddress"> },
  kind: ReturnType<typeof styleRun>,
  whose: Whose,
  projectId: number,
  { texts, urls }: LikedTexts,
  requestKey?: string,
): Promise<Ordered> {
  await readProject(deps.sql, whose, projectId);
  const count = texts.length + urls.length;
  if (count < textLimits.least || count > textLimits.most) throw new SeoProblem("value_refused", howMany);
  for (const [index, text] of texts.entries())
    if (wordsOfBlocks(blocksOf(text)) < textLimits.words)
      throw new SeoProblem("value_refused", tooShort, { pointers: [`/texts/${index}`] });
  for (const [index, url] of urls.entries()) {
    const refusal = await deps.sources.checkAddress(url);
    if (refusal)
      throw new SeoProblem("value_refused", refusedAddress("firecrawl", refusal).message, {
        pointers: [`/urls/${index}`],
      });
  }
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, requestKey },
    input: { project_id: projectId, texts, urls },
    counts: { texts: 1 },
    charges: [],
  });
}

const howMany = {
  ru: `Пришлите от ${textLimits.least} до ${textLimits.most} текстов, которые вам нравятся.`,
  en: `Give ${textLimits.least} to ${textLimits.most} texts that you like.`,
};
const tooShort = {
  ru: `Стиль видно в тексте от ${textLimits.words} слов. Возьмите текст длиннее.`,
  en: `A style shows in texts of ${textLimits.words} words and more. Take a longer one.`,
};
