/** Finding phrases and uploading one's own, wherever it is asked for. */
import type { Stored } from "../../../src/dialogs/flow/flow.ts";
import type { Example } from "../../../src/dialogs/testing/walk.ts";
import { noKeywordAnswers } from "../../../src/seo/bot/keywords/keyword-order.ts";
import { quantities } from "../../../src/seo/keywords/keywords-run.ts";
import type { Examples, Given } from "../walk-given.ts";

const { keywordOrder: nothing } = noKeywordAnswers;
const asked = {
  ...nothing,
  ...{ products: "loose tea", geography: "Perm", category: "Tea", city: "Perm", balance: 100_000 },
  costs: quantities.map((each) => each),
};

const ordered = (changes: Stored = {}) => ({ keywordOrder: { ...asked, ...changes } });
const ends = ["review", "failed", "expired"] as const;

/** Products, geography, quantity, confirmation. */
export function questionExamples(
  { taps, types, poor }: Given,
  at: Readonly<Record<"products" | "geography" | "quantity" | "confirm", string>>,
  here: Stored,
  lost: Stored,
): Examples {
  return {
    [at.products]: [types("loose tea", here), types("t", here)],
    [at.geography]: [
      ...[taps(here, ordered()), taps(lost, ordered())],
      ...[types("Perm", { ...here, ...ordered() }), types("P", { ...here, ...ordered() })],
    ],
    [at.quantity]: [taps(here, ordered()), taps(lost, ordered())],
    [at.confirm]: [
      ...[taps(here, ordered()), taps(lost, ordered()), taps(here, ordered({ balance: 0 }))],
      poor(taps(here, ordered())),
    ],
  };
}

/** A wait for phrases; the stages are those at which another state takes over. */
export function waitExamples(
  { wakes, run }: Given,
  work: "keywords" | "upload",
  here: Stored,
  stages: readonly string[] = [],
): Example[] {
  const withRun = (copy: Parameters<Given["run"]>[1]) => async (): Promise<Stored> => {
    const runId = await run(work, copy);
    return work === "keywords" ? ordered({ runId }) : { keywordUpload: { runId } };
  };
  return [
    wakes("done", here, withRun({ status: "done" })),
    ...ends.map((outcome) => wakes(outcome, here, withRun({ status: "failed", held: 50 }))),
    wakes("cancelled", here, withRun({ status: "running" })),
    wakes("cancelled", here, withRun({ status: "cancelled" })),
    ...stages.map((stage) => wakes(stage, here, withRun({ status: "running", stage }))),
  ];
}

/** The city, then how to get phrases. */
export function choiceExamples(
  { taps, types, poor, world }: Given,
  at: Readonly<Record<"city" | "choose", string>>,
  here: Stored,
  lost: Stored,
): Examples {
  const cityless = async () => {
    await world.sql`update seo.projects set company_city = null where id = ${world.projectId}`;
    return here;
  };
  const inCity = async () => {
    await world.sql`update seo.projects set company_city = 'Perm' where id = ${world.projectId}`;
    return here;
  };
  return {
    [at.city]: [
      ...[taps(inCity, ordered()), taps(lost, ordered()), taps(cityless, ordered())],
      ...[types("Perm", inCity), types("Perm", lost), types("P".repeat(300), here)],
    ],
    [at.choose]: [
      ...[taps(inCity, ordered()), taps(lost, ordered()), taps(here, ordered({ balance: 0 }))],
      poor(taps(here, ordered())),
    ],
  };
}

/** A file of phrases, and everything that is no such file. */
export function uploadExamples(
  { taps, types, sends, sendsOthers }: Given,
  here: Stored,
  lost: Stored,
): Example[] {
  const phrases = new TextEncoder().encode("green tea\nwhite tea\n");
  return [
    taps(here),
    types("green tea", here),
    ...sendsOthers(here),
    sends("document", here, "phrases.txt", phrases),
    sends("document", lost, "phrases.txt", phrases),
    sends("document", here, "phrases.pdf", phrases),
  ];
}

export function keywordExamples(how: Given): Examples {
  const { taps, world } = how;
  const here = { categoryId: world.categoryId, report: "Found" };
  const lost = { categoryId: world.gone };
  return {
    "KeywordGeneration.saved": [taps(here), taps({ categoryId: world.bareCategoryId })],
    ...questionExamples(
      how,
      {
        ...{ products: "KeywordGeneration.products", geography: "KeywordGeneration.geography" },
        ...{ quantity: "KeywordGeneration.quantity", confirm: "KeywordGeneration.confirm" },
      },
      here,
      lost,
    ),
    "KeywordGeneration.fetching": waitExamples(how, "keywords", here, ["clustering", "enriching"]),
    "KeywordGeneration.clustering": waitExamples(how, "keywords", here, ["enriching"]),
    "KeywordGeneration.enriching": waitExamples(how, "keywords", here),
    "KeywordGeneration.results": [taps(here)],
    "KeywordUpload.file_upload": uploadExamples(how, here, lost),
    "KeywordUpload.enriching": waitExamples(how, "upload", here, ["clustering"]),
    "KeywordUpload.clustering": waitExamples(how, "upload", here),
    "KeywordUpload.results": [taps(here)],
  };
}
