/** One's own phrases from a file: taken, enriched and grouped. Asked by its own flow, and inside the pipelines. */
import { z } from "zod";
import type {
  AskState,
  MediaKind,
  ReceivedMedia,
  StepContext,
  StepResult,
  Targets,
} from "../../../dialogs/index.ts";
import { keywordFileFault, keywordFileLimits, readKeywordFile } from "../../categories/keyword-file.ts";
import { orderUpload } from "../../keywords/order-upload.ts";
import { type UploadResult, uploadResult } from "../../keywords/upload-run.ts";
import { readRun } from "../../runs/read-runs.ts";
import type { Stage } from "../../runs/texts.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { placedText } from "./keywords-summary.ts";

/** For the data of a flow: `z.object({ ...uploadAnswers.shape, … })`. */
export const uploadAnswers = z.object({ keywordUpload: z.object({ runId: z.string() }) });
export type UploadAnswers = z.infer<typeof uploadAnswers>;
export const noUploadAnswers: UploadAnswers = { keywordUpload: { runId: "" } };

export interface KeywordUpload<Data extends UploadAnswers, Name extends string> {
  readonly names: {
    readonly file: Name;
    readonly generating: Name;
    /** States that take over the wait at these stages, if the flow has them. */
    readonly stages?: Partial<Record<Stage, Name>>;
  };
  heading?(t: Texts): string;
  categoryId(data: Data): number;
  /** Where `done` may lead. */
  readonly to: Targets<Name>;
  /** The phrases are saved in the category. */
  done(
    turn: StepContext<Data, BotServices>,
    uploaded: UploadedKeywords,
  ): StepResult<Data, Name> | Promise<StepResult<Data, Name>>;
}

export interface UploadedKeywords {
  readonly result: UploadResult;
  /** Clusters and phrases of the category, places of the volumes, warnings. */
  readonly summary: string;
}

/** Instead of a document; they are told what is wanted. */
const otherKinds = ["photo", "voice", "audio", "video", "sticker", "other"] as const satisfies MediaKind[];

/** `{ file, generating }` and `waiting(stages)`, as in `keywordQuestions`. */
export function keywordUpload<Data extends UploadAnswers, Name extends string>(
  given: KeywordUpload<Data, Name>,
) {
  const { names, heading, categoryId, to, done }: KeywordUpload<UploadAnswers, Name> = given;
  type Turn = StepContext<UploadAnswers, BotServices>;

  async function take(turn: Turn, { name, file }: ReceivedMedia): Promise<StepResult<UploadAnswers, Name>> {
    const { language } = turn;
    if (file?.kind !== "file" || !/\.txt$/i.test(name ?? "")) return { refuse: keywordFileFault[language] };
    const services = inStep(turn);
    const ordered = await ifFound(() =>
      attempted(async () => {
        const phrases = readKeywordFile(file.bytes);
        return orderUpload(services, services.kinds.upload, whoseOf(turn), categoryId(turn.data), phrases);
      }),
    );
    if (!ordered) return { to: "screen:dashboard", notice: texts[language].keywords.find.gone };
    if (!ordered.ok) return { refuse: saidOf(ordered.problem, language) };
    return { to: names.generating, data: { keywordUpload: { runId: ordered.value.run_id } } };
  }
  const refuse = ({ language }: Turn) => ({ refuse: keywordFileFault[language] });

  const askFile: AskState<UploadAnswers, Name, BotServices> = {
    ask: both((t) => `${heading?.(t) ?? t.keywords.upload.heading}\n\n${t.keywords.upload.ask}`),
    media: {
      ...Object.fromEntries(otherKinds.map((kind) => [kind, { to: "@stay", take: refuse }])),
      document: {
        to: [names.generating, "screen:dashboard"],
        download: { bytes: keywordFileLimits.bytes },
        take,
      },
    },
    text: { to: "@stay", take: refuse },
  };

  const orderedRun = (turn: Turn) => {
    const { workspaceId, userId } = whoseOf(turn);
    return readRun(inStep(turn).sql, workspaceId, turn.data.keywordUpload.runId, userId);
  };
  const waiting = (stages: Partial<Record<Stage, Name>> = {}) =>
    waitForRun<UploadAnswers, Name>({
      ask: both((t) => t.keywords.upload.working),
      runId: ({ keywordUpload: { runId } }) => runId,
      stages,
      outcomes: {
        done: {
          to,
          async take(turn) {
            const result = uploadResult.parse((await orderedRun(turn)).result);
            const { language } = turn;
            const added = texts[language].keywords.upload.added(result.added);
            return done(turn, { result, summary: `${added}\n${placedText(result, result, language)}` });
          },
        },
        failed: {
          to: names.file,
          async take(turn) {
            const { error } = await orderedRun(turn);
            const { language } = turn;
            return { notice: error?.message[language] ?? texts[language].keywords.upload.failed };
          },
        },
        cancelled: {
          to: names.file,
          take: ({ language }) => ({ notice: texts[language].keywords.upload.stopped }),
        },
      },
    });

  return { file: askFile, generating: waiting(names.stages), waiting };
}
