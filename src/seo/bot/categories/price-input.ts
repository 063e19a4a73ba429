/** How a price list comes in, typed or as an Excel file: asked by its own flow, and inside the pipelines. */
import type {
  AskState,
  Downloaded,
  MediaKind,
  StepContext,
  StepResult,
  Targets,
} from "../../../dialogs/index.ts";
import { setPrices } from "../../categories/lists.ts";
import { type Price, priceFormat, readPriceLines, tooManyPrices } from "../../categories/price-lines.ts";
import { priceSheetFault, priceSheetLimits, readPriceSheet } from "../../categories/price-sheet.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { goneHome, leading, orHome } from "./gone.ts";

type Question = "choose_method" | "text_input" | "file_upload";

export interface PriceInput<Data, Name extends string> {
  /** How the flow calls the states. */
  readonly names: Readonly<Record<Question, Name>>;
  readonly to: Targets<Name>;
  categoryId(data: Data): number;
  /** With the number of products, once they are kept. */
  saved(
    turn: StepContext<Data, BotServices>,
    count: number,
  ): StepResult<Data, Name> | Promise<StepResult<Data, Name>>;
}

/** `{ choose_method, text_input, file_upload }`: states for the flow to place under its own names. */
export function priceInput<Data, Name extends string>({
  names,
  to,
  categoryId,
  saved,
}: PriceInput<Data, Name>): Readonly<Record<Question, AskState<Data, Name, BotServices>>> {
  const keep = async (
    turn: StepContext<Data, BotServices>,
    read: () => Promise<readonly Price[]>,
  ): Promise<StepResult<Data, Name>> => {
    const prices = await attempted(read);
    if (!prices.ok) return { refuse: saidOf(prices.problem, turn.language) };
    const count = await ifFound(() =>
      setPrices(inStep(turn), whoseOf(turn), categoryId(turn.data), prices.value),
    );
    return count === undefined ? goneHome(turn) : leading(await saved(turn, count), to);
  };
  return {
    choose_method: {
      ask: both((t) => t.categories.prices.method),
      buttons: {
        text: { label: both((t) => t.categories.prices.byText), to: names.text_input, row: 1 },
        file: { label: both((t) => t.categories.prices.byFile), to: names.file_upload, row: 1 },
      },
    },
    text_input: {
      ask: both((t) => t.categories.prices.typed),
      text: {
        to: orHome(to),
        take: (turn, typed) =>
          // Without a single dash it is no list with a mistake, but something else.
          /\s[—–-]\s/.test(typed)
            ? keep(turn, async () => readPriceLines(typed))
            : { refuse: priceFormat[turn.language] },
      },
    },
    file_upload: {
      ask: both((t) => t.categories.prices.file),
      text: { to: "@stay", take: refuseSheet },
      media: {
        ...Object.fromEntries(otherKinds.map((kind) => [kind, { to: "@stay", take: refuseSheet }])),
        document: {
          to: orHome(to),
          download: { bytes: priceSheetLimits.bytes },
          take(turn, { name = "", file }) {
            const refuse = refusalOf(name, file, turn.language);
            if (refuse !== undefined) return { refuse };
            return keep(turn, () => readPriceSheet(file?.kind === "file" ? file.bytes : new Uint8Array()));
          },
        },
      },
    },
  };
}

/** Whatever comes instead of a document. */
const otherKinds = ["photo", "voice", "audio", "video", "sticker", "other"] as const satisfies MediaKind[];

const refuseSheet = ({ language }: { readonly language: keyof typeof texts }) => ({
  refuse: priceSheetFault[language],
});

function refusalOf(
  name: string,
  file: Downloaded | undefined,
  language: keyof typeof texts,
): string | undefined {
  if (!/\.xlsx$/i.test(name)) return priceSheetFault[language];
  if (file?.kind === "too large") return tooManyPrices[language];
  return file?.kind === "file" ? undefined : texts[language].categories.fileGone;
}
