/** Decides which sections of a text get a picture, in which proportions, and what is asked for. Pure. */

export interface Section {
  readonly heading: string;
  readonly text: string;
}

export interface PictureWishes {
  /** Proportions that somebody chose, used in turn; none: by the picture's place. */
  readonly formats: readonly string[];
  readonly styles: readonly string[];
  readonly tones: readonly string[];
  readonly cameras: readonly string[];
  readonly angles: readonly string[];
  /** Per cent of pictures with text on them, and of collages. */
  readonly text_on_image: number;
  readonly collage: number;
}

export interface PlannedPicture {
  /** From 1. */
  readonly number: number;
  /** Which section it belongs to; undefined if the text has none. */
  readonly section: number | undefined;
  readonly aspectRatio: string;
  /** Variables of the prompt. */
  readonly data: Readonly<Record<string, string | number>>;
}

const wordsOfContext = 300;

/** A wide one for the head of the page, two of the usual photograph's form, then squares. */
const byPlace = ["16:9", "4:3", "4:3"] as const;

/** What makes the second and later pictures different when nobody chose angles. */
const variations = ["Крупный план", "Общий план", "Деталь", "В работе"] as const;

export function planPictures(
  sections: readonly Section[],
  count: number,
  wishes: PictureWishes,
): PlannedPicture[] {
  const places = spread(sections.length, count);
  const of = <T>(options: readonly T[], index: number) => options[index % options.length];
  return Array.from({ length: count }, (_, index) => {
    const place = places[index];
    const section = place === undefined ? undefined : sections[place];
    const angle = of(wishes.angles, index);
    const camera = of(wishes.cameras, index);
    return {
      number: index + 1,
      section: place,
      aspectRatio: of(wishes.formats, index) ?? byPlace[index] ?? "1:1",
      data: {
        image_number: index + 1,
        total_images: count,
        block_context: section ? firstWords(`${section.heading}\n${section.text}`, wordsOfContext) : "",
        style: of(wishes.styles, index) ?? "",
        tone: of(wishes.tones, index) ?? "",
        camera_instruction: camera ? `Снято так: ${camera}.` : "",
        angle_instruction: angle ? `Ракурс: ${angle}.` : "",
        text_on_image_instruction: [
          isAmong(index, count, wishes.text_on_image) ? "На картинке короткая надпись по теме." : "",
          isAmong(index, count, wishes.collage) ? "Коллаж из двух-трёх кадров." : "",
        ]
          .filter(Boolean)
          .join(" "),
        variation_hint: index > 0 && !angle ? (of(variations, index - 1) ?? "") : "",
      },
    };
  });
}

/** Indexes of sections, evenly spread; without the first and the last as long as the others suffice. */
export function spread(sections: number, count: number): number[] {
  const inner = sections - 2;
  const [from, room] = inner >= count && inner > 0 ? [1, inner] : [0, sections];
  return Array.from({ length: Math.min(count, room) }, (_, index) =>
    Math.floor(from + ((index + 0.5) * room) / Math.min(count, room)),
  );
}

/** Whether this one is among the given per cent of all, evenly spread. */
function isAmong(index: number, count: number, percent: number): boolean {
  const wanted = Math.round((count * percent) / 100);
  return Math.floor(((index + 1) * wanted) / count) > Math.floor((index * wanted) / count);
}

function firstWords(text: string, count: number): string {
  return text.split(/\s+/).filter(Boolean).slice(0, count).join(" ");
}
