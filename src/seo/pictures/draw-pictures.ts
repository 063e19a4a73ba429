import { messageOf } from "../../kernel/errors/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import { aspectRatios, type PictureAsk, type PictureSize } from "../../llm/index.ts";
import { seoTasks } from "../answers/index.ts";
import { type Asking, type ModelDeps, note } from "../models/ask-model.ts";
import type { ImageSettings } from "../settings/shape.ts";
import { type Finished, finishPicture } from "./finish-picture.ts";
import { looksLike } from "./likeness.ts";
import type { PlannedPicture } from "./plan-pictures.ts";
import { type PicturePlace, pictureKey, picturePath } from "./stored-files.ts";
import type { References } from "./style-of-media.ts";

export interface DrawDeps extends ModelDeps {
  readonly storage: ObjectStorage;
}

export interface Drawing {
  readonly planned: readonly PlannedPicture[];
  /** The director's scenes by the number of the picture. */
  readonly scenes: ReadonlyMap<number, { readonly prompt: string; readonly negative_prompt: string }>;
  /** Variables that all pictures share. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly quality: ImageSettings["quality"];
  readonly place: PicturePlace;
  /** The business's own photos, for the style. */
  readonly references?: References | undefined;
}

export interface DrawnPicture {
  readonly number: number;
  readonly storage_path: string;
  readonly media_type: string;
  readonly width: number;
  readonly height: number;
}

const sizes: Readonly<Record<ImageSettings["quality"], PictureSize>> = {
  HD: "1K",
  "Ultra HD": "2K",
  "8K": "4K",
};

/** For a picture that came out like another one of the same text. */
const otherwise =
  "Совсем другой сюжет: другой предмет, другой ракурс, другой фон, чем на остальных картинках.";

/** Draws all pictures at the same time and stores those that came out; one that looks like another is drawn once more. */
export async function drawPictures(
  deps: DrawDeps,
  asking: Asking,
  drawing: Drawing,
): Promise<readonly DrawnPicture[]> {
  if (drawing.planned.length === 0) return [];
  const first = await drawn(deps, asking, drawing, drawing.planned);
  const prints: bigint[] = [];
  const alike: PlannedPicture[] = [];
  for (const planned of drawing.planned) {
    const picture = first.get(planned.number);
    if (!picture) continue;
    if (looksLike(picture.print, prints)) alike.push(planned);
    prints.push(picture.print);
  }
  if (alike.length > 0) {
    asking.step.note("pictures_alike", { numbers: alike.map(({ number }) => number) });
    const again = await drawn(
      deps,
      asking,
      drawing,
      alike.map((planned) => ({ ...planned, data: { ...planned.data, variation_hint: otherwise } })),
    );
    for (const [number, picture] of again) first.set(number, picture);
  }
  return Promise.all([...first].map(([number, picture]) => stored(deps, asking, drawing, number, picture)));
}

async function drawn(
  { gateway, ledger }: DrawDeps,
  asking: Asking,
  { data, scenes, quality, references = [] }: Drawing,
  planned: readonly PlannedPicture[],
): Promise<Map<number, Finished>> {
  const { run, step } = asking;
  const { key } = seoTasks.image;
  const askFor = (shown: References) =>
    gateway.images({
      ...{ workspaceId: run.workspaceId, userId: String(run.userId), signal: run.signal },
      ...{ policy: key, prompt: { name: key, data } },
      pictures: planned.map((picture): PictureAsk => {
        const aspectRatio = aspectRatios.find((ratio) => ratio === picture.aspectRatio);
        return {
          data: { ...picture.data, ...scenes.get(picture.number) },
          size: sizes[quality],
          ...(aspectRatio && { aspectRatio }),
          ...(shown.length > 0 && { references: shown }),
        };
      }),
    });
  let answered = await askFor(references);
  await note({ ledger }, asking, answered.meta);
  if (!answered.ok && references.length > 0 && !run.signal.aborted) {
    // Media steer the style and are never required: a model may look at no pictures.
    step.note("references_left_out", { code: answered.error.code });
    answered = await askFor([]);
    await note({ ledger }, asking, answered.meta);
  }
  if (!answered.ok) {
    step.note("pictures_failed", { code: answered.error.code });
    return new Map();
  }
  const made = new Map<number, Finished>();
  for (const [index, result] of answered.pictures.entries()) {
    const number = planned[index]?.number ?? index + 1;
    if (!result.ok) {
      step.note("picture_failed", { number, code: result.error.code });
      continue;
    }
    try {
      const finished = await finishPicture(result.picture.bytes);
      if (finished.asPng) step.note("webp_failed", { number });
      made.set(number, finished);
    } catch (error) {
      step.note("picture_failed", { number, reason: messageOf(error) });
    }
  }
  return made;
}

async function stored(
  { storage }: DrawDeps,
  { run }: Asking,
  { place }: Drawing,
  number: number,
  { bytes, mediaType, width, height }: Finished,
): Promise<DrawnPicture> {
  const storage_path = picturePath(place, number, mediaType);
  await storage.put(pictureKey(run.workspaceId, storage_path), bytes, { contentType: mediaType });
  return { number, storage_path, media_type: mediaType, width, height };
}
