import { z } from "zod";
import { textOperation } from "../articles/article-deps.ts";
import type { Warning } from "../articles/shape.ts";
import { fewerPictures } from "../articles/warnings.ts";
import { foreignWords, madeUpIn } from "../checks/index.ts";
import { withWait } from "../models/when-again.ts";
import { disclaimerOf, nicheNames } from "../niches/index.ts";
import { isLikePublished } from "../publications/like-published.ts";
import { defineRun, type RunKind, type RunScope, type WorkEnd } from "../runs/run-kind.ts";
import { resultBefore } from "../texts/reviewed-text.ts";
import { drawPost } from "./draw-post.ts";
import {
  asWarnings,
  checkedPost,
  endOfPost,
  forgetBefore,
  notWritten,
  postBefore,
  settlePrice,
} from "./finish-post.ts";
import { readersText } from "./post-payload.ts";
import { readPostBrief } from "./read-brief.ts";
import {
  type PostBrief,
  type PostOrder,
  type PostResult,
  postBrief,
  postKind,
  postOrder,
  postResult,
} from "./shape.ts";
import { failures, noPictures, warning } from "./words.ts";
import { type PostDeps, writePost } from "./write-post.ts";

export type PostRun = RunKind<PostOrder, PostResult>;

/** Writes a post about the category's next phrase and draws its picture. A person then decides on it; a schedule publishes it at once. */
export function postRun(deps: PostDeps): PostRun {
  return defineRun<PostOrder, PostResult>({
    kind: postKind,
    title: { ru: "пост", en: "post" },
    input: postOrder,
    work: (run, order) => write(deps, run, order),
    keepBefore: (run) => postBefore(deps, run),
  });
}

async function write(deps: PostDeps, run: RunScope, order: PostOrder): Promise<WorkEnd<PostResult>> {
  const brief = await run.step("brief", { result: postBrief, stage: "writing", shared: true }, () =>
    readPostBrief(deps.sql, run, order, deps.clock.now()),
  );
  const before = await resultBefore(deps, run, postResult);
  const disclaimer = disclaimerFor(brief);
  const wrote = await writePost(deps, run, brief, { disclaimer, before });
  if (!wrote.ok) {
    const said = withWait(failures.text_failed, wrote.error);
    return notWritten(deps, run, { before, drawn: [], code: "text_failed", said });
  }
  const written = wrote.post;

  const drawn = await drawPost(deps, run, order, brief, written);
  const pictures = drawn.length === 0 && before ? before.pictures : drawn;
  const { platform, target, phrase, site: link } = brief;
  if (platform === "pinterest" && pictures.length === 0)
    return notWritten(deps, run, { before, drawn, code: "no_picture", said: failures.no_picture });

  const checked = checkedPost(
    {
      ...{ platform, target, phrase, link, disclaimer, written, pictures, sourceRunId: null },
      regenerations: before ? before.regenerations + 1 : 0,
    },
    { run, now: deps.clock.now() },
  );
  if ("fault" in checked)
    return notWritten(deps, run, { before, drawn, code: "not_valid", said: checked.fault });

  const returned = await settlePrice(deps, run, {
    ...{ operation: textOperation, words: written.words, drawn: drawn.length },
  });
  const isCopy = await run.step("likeness", { result: z.boolean() }, () =>
    isLikePublished(deps.sql, run, BigInt(checked.content_hash)),
  );
  await forgetBefore(deps, run, before, pictures);
  const warnings: Warning[] = [
    ...checked.warnings,
    ...pictureWarnings(brief, { drawn: drawn.length, kept: pictures.length, returned }),
    ...asWarnings(madeUpIn(readersText(checked), { prices: brief.prices, company: companyLines(brief) })),
    ...asWarnings(foreignWords(readersText(checked), [brief.phrase, ...companyLines(brief)])),
    ...(isCopy ? [warning("near_duplicate")] : []),
    ...brief.advice.map((message): Warning => ({ code: "phrases", message })),
  ];
  return endOfPost(deps, run, order, { ...checked, warnings });
}

function disclaimerFor(brief: PostBrief): string | null {
  const niche = nicheNames.find((name) => name === brief.niche);
  return (niche && disclaimerOf(niche, "ru")) ?? null;
}

/** What the post may state about the business. */
const companyLines = ({ company, prices }: PostBrief): string[] => [
  `${company.name}: ${company.specialization}`,
  ...company.facts,
  ...prices.map(({ name, price }) => `${name} — ${price}`),
];

function pictureWarnings(
  { image }: PostBrief,
  { drawn, kept, returned }: { drawn: number; kept: number; returned: number },
): Warning[] {
  if (drawn >= image.count) return [];
  if (drawn > 0) return [fewerPictures(drawn, image.count)];
  return [kept > 0 ? warning("picture_kept") : noPictures(returned)];
}
