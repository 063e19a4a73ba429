/** Descriptions, reviews, prices and media of a category. */
import writeExcelFile from "write-excel-file/universal";
import type { Stored } from "../../../src/dialogs/flow/flow.ts";
import { nothingDescribed } from "../../../src/seo/bot/categories/describe.ts";
import type { Examples, Given } from "../walk-given.ts";

const { describing: nothing } = nothingDescribed;
const paid = { tokens: 20, balance: 1_000, isFree: false };
const short = { ...paid, balance: 0 };

/** A description, wherever it is written; `lost` is the place of a category that is gone. */
export function describingExamples(
  how: Given,
  at: Readonly<Record<"ask" | "writing" | "review" | "manual", string>>,
  here: Stored,
  lost: Stored,
): Examples {
  const { taps, types, wakes, poor, run, noRun } = how;
  const described = (changes: Stored) => ({ describing: { ...nothing, cost: paid, ...changes } });
  const withRun =
    (copy: Parameters<Given["run"]>[1], changes: Stored = {}) =>
    async () =>
      described({ runId: await run("description", copy), ...changes });
  const reviewed = withRun({ status: "review", held: 20 });
  const ended = withRun({ status: "failed", held: 20 });
  return {
    [at.ask]: [
      ...[taps(here, described({})), taps(lost, described({})), taps(here, described({ cost: short }))],
      poor(taps(here, described({}))),
    ],
    [at.writing]: [
      wakes("review", here, reviewed),
      wakes("review", here, withRun({ status: "review", isStopped: true })),
      ...["done", "failed", "expired", "cancelled"].map((outcome) => wakes(outcome, here, ended)),
      wakes("cancelled", here, withRun({ status: "running" })),
    ],
    [at.review]: [
      ...[taps(here, reviewed), taps(here, ended), taps(here, described({ runId: noRun }))],
      taps(here, withRun({ status: "review", held: 20 }, { isShort: true })),
    ],
    [at.manual]: [
      types("Loose leaf tea of many kinds", here),
      types("Loose leaf tea of many kinds", lost),
      types("T", here),
    ],
  };
}

/** A price list, wherever it is asked for. */
export function priceExamples(
  { types, sends, sendsOthers }: Given,
  at: Readonly<Record<"text" | "file", string>>,
  here: Stored,
  lost: Stored,
): Examples {
  const sheet = priceSheet;
  return {
    [at.text]: [types("Oolong — 490", here), types("Oolong — 490", lost), types("Oolong", here)],
    [at.file]: [
      types("Oolong — 490", here),
      ...sendsOthers(here),
      sends("document", here, "prices.xlsx", sheet),
      sends("document", lost, "prices.xlsx", sheet),
      sends("document", here, "prices.csv", sheet),
    ],
  };
}

const cells = [["Oolong", "490"].map((value) => ({ value, type: String }))];
const priceSheet = new Uint8Array(await (await writeExcelFile(cells).toBlob()).arrayBuffer());

export function textExamples(how: Given): Examples {
  const { taps, wakes, poor, run, noRun, sends, world } = how;
  const here = { categoryId: world.categoryId };
  const lost = { categoryId: world.gone };
  const withRun =
    (copy: Parameters<Given["run"]>[1], changes: Stored = {}) =>
    async () => ({
      runId: await run("reviews", copy),
      ...changes,
    });
  const reviewed = withRun({ status: "review", held: 30 });
  const ended = withRun({ status: "failed", held: 30 });
  const album = { files: [{ fileId: "gone", name: "a.pdf", caption: "" }] };
  const picture = new TextEncoder().encode("%PDF-1.4\nwalk");
  how.person.messenger.files.set("walk", picture);
  const kept = { files: [{ fileId: "walk", name: "a.pdf", caption: "" }] };
  return {
    ...describingExamples(
      how,
      {
        ...{ ask: "DescriptionGenerate.confirm", writing: "DescriptionGenerate.generating" },
        ...{ review: "DescriptionGenerate.review", manual: "DescriptionGenerate.manual" },
      },
      here,
      lost,
    ),
    ...priceExamples(how, { text: "PriceInput.text_input", file: "PriceInput.file_upload" }, here, lost),
    "ReviewGeneration.quantity": [taps(here)],
    "ReviewGeneration.confirm_cost": [
      ...[taps(here, { cost: paid }), taps(lost, { cost: paid }), taps(here, { cost: short, quantity: 10 })],
      poor(taps(here, { cost: paid })),
    ],
    "ReviewGeneration.generating": [
      wakes("review", here, reviewed),
      wakes("review", here, withRun({ status: "review", isStopped: true })),
      ...["done", "failed", "expired", "cancelled"].map((outcome) => wakes(outcome, here, ended)),
      wakes("cancelled", here, withRun({ status: "running" })),
    ],
    "ReviewGeneration.review": [
      ...[taps(here, reviewed), taps(here, ended), taps(here, { runId: noRun })],
      taps(here, withRun({ status: "review", held: 30 }, { isShort: true })),
    ],
    "MediaUpload.file": [
      taps(here, album),
      ...(["photo", "video", "document"] as const).map((kind) => sends(kind, here, "a.pdf", picture)),
    ],
    "MediaUpload.keeping": [taps(here, album), taps(here, kept), taps(lost, kept)],
  };
}
