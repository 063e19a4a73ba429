import { readCategory } from "../../categories/categories.ts";
import { action, type BotVisit, inStep, whoseOf } from "../services.ts";
import { ifFound } from "../told.ts";
import * as clusterScreens from "./cluster-screens.ts";
import { findKeywords } from "./find-keywords.ts";
import { csv, deleteAll, deleteAllYes, summary } from "./keyword-screens.ts";
import { uploadKeywords } from "./upload-keywords.ts";

async function begun(visit: BotVisit, id: number) {
  const category = await ifFound(() => readCategory(inStep(visit).sql, whoseOf(visit), id));
  return category && { data: { categoryId: id } };
}

const find = action("category:{id}:keywords:find", {
  to: ["flow:KeywordGeneration"],
  act: ({ id }, visit) => begun(visit, id),
});
const upload = action("category:{id}:keywords:upload", {
  to: ["flow:KeywordUpload"],
  act: ({ id }, visit) => begun(visit, id),
});

export const keywordFlows = [findKeywords, uploadKeywords] as const;
export const keywordScreens = [
  ...[summary, find, upload, csv, deleteAll, deleteAllYes],
  ...Object.values(clusterScreens),
] as const;
