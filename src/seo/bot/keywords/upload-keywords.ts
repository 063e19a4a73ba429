import { z } from "zod";
import { inactivity, keepHours } from "../limits.ts";
import { flow } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { keywordUpload, noUploadAnswers, uploadAnswers } from "./keyword-upload.ts";
import { broughtText } from "./keywords-summary.ts";
import { resultsState } from "./results-state.ts";

const uploadData = z.object({ ...uploadAnswers.shape, categoryId: z.int(), report: z.string() });
type UploadData = z.infer<typeof uploadData>;
const waits = ["enriching", "clustering"] as const;

const upload = keywordUpload<UploadData, "file_upload" | (typeof waits)[number] | "results">({
  names: { file: "file_upload", generating: "enriching", stages: { clustering: "clustering" } },
  categoryId: ({ categoryId }) => categoryId,
  to: "results",
  done: ({ language }, { result }) => {
    const added = texts[language].keywords.upload.added(result.added);
    return { data: { report: `${added}\n${broughtText(result, result, language)}` } };
  },
});

export const uploadKeywords = flow({
  name: "KeywordUpload",
  title: both((t) => t.keywords.upload.title),
  data: uploadData,
  empty: { ...noUploadAnswers, categoryId: 0, report: "" },
  first: "file_upload",
  rivals: "replace",
  inactivity,
  keep: { hours: keepHours, when: (_, state) => waits.some((each) => each === state) },
  states: {
    file_upload: upload.file,
    enriching: upload.generating,
    clustering: upload.waiting(),
    results: resultsState,
  },
});
