/** Pictures as a provider wants them: format, bytes and measures. */
import { Readable } from "node:stream";
import type { MediaFile, PictureRules } from "../../platforms/index.ts";
import { type Fault, tooLarge, wrongKind } from "./faults.ts";

export interface Picture {
  readonly file: MediaFile;
  readonly width: number | null;
  readonly height: number | null;
}

export interface FitOptions {
  readonly rules: PictureRules;
  readonly maxBytes: number;
  /** Whether the channel lets pictures be changed. */
  readonly mayConvert: boolean;
}

/** The file itself when it fits, else a JPEG that does, else why there is none. */
export async function fitPicture(picture: Picture, options: FitOptions): Promise<MediaFile | Fault> {
  const misfit = misfitOf(picture, options);
  if (!misfit) return picture.file;
  if (!misfit.curable) return misfit.fault;
  if (!options.mayConvert) {
    const { message, ...fault } = misfit.fault;
    return {
      ...fault,
      message: `${message}; with the channel's setting convert_images it would be converted`,
    };
  }
  return convert(picture, options, misfit.fault);
}

interface Misfit {
  readonly fault: Fault;
  readonly curable: boolean;
}

function misfitOf({ file, width, height }: Picture, { rules, maxBytes }: FitOptions): Misfit | undefined {
  const { contentTypes, longestSide = Infinity, sidesSum = Infinity, ratio = Infinity } = rules;
  if (width && height && Math.max(width, height) / Math.min(width, height) > ratio)
    return {
      curable: false,
      fault: wrongKind(`is ${width}×${height}: one side may be ${ratio} times as long as the other at most`),
    };
  const curable = (fault: Fault): Misfit => ({ curable: true, fault });
  if (!contentTypes.includes(file.contentType))
    return curable(
      wrongKind(`is ${file.contentType}, and only ${contentTypes.join(", ")} are taken as pictures`),
    );
  if (file.size > maxBytes)
    return curable(tooLarge(`has ${file.size} bytes, at most ${maxBytes} are accepted`));
  if (width && height && (Math.max(width, height) > longestSide || width + height > sidesSum)) {
    const most = Number.isFinite(longestSide)
      ? `${longestSide} a side`
      : `${sidesSum} of width and height together`;
    return curable(tooLarge(`is ${width}×${height}, at most ${most} are accepted`));
  }
  return undefined;
}

/** From hardly visible to a last resort, each try smaller than the one before. */
const tries = [
  { quality: 90, scale: 1 },
  { quality: 82, scale: 0.8 },
  { quality: 75, scale: 0.5 },
  { quality: 65, scale: 0.3 },
] as const;

/** A decoded picture of this many pixels takes about 400 MB; beyond it a small file can be a bomb. */
const mostPixels = 100_000_000;

async function convert(
  { file, width, height }: Picture,
  { rules, maxBytes }: FitOptions,
  reason: Fault,
): Promise<MediaFile | Fault> {
  const { longestSide = Infinity, sidesSum = Infinity } = rules;
  for (const { quality, scale } of tries) {
    const fitting =
      width && height
        ? Math.min(1, longestSide / Math.max(width, height), sidesSum / (width + height)) * scale
        : scale;
    const size =
      width && height ? { width: Math.floor(width * fitting), height: Math.floor(height * fitting) } : {};
    const bytes = await onePicture(() => jpegOf(file, size, quality)).catch((cause: unknown) => cause);
    if (!(bytes instanceof Uint8Array)) {
      const why = bytes instanceof Error ? bytes.message : String(bytes);
      return { ...reason, message: `${reason.message}, and it could not be converted: ${why}` };
    }
    if (bytes.length <= maxBytes) {
      return {
        size: bytes.length,
        contentType: "image/jpeg",
        fileName: file.fileName.replace(/(\.[^.]*)?$/, ".jpg"),
        open: async () => Readable.from([bytes]),
      };
    }
  }
  return { ...reason, message: `${reason.message}, and no smaller copy of it fits` };
}

async function jpegOf(
  file: MediaFile,
  size: { width?: number; height?: number },
  quality: number,
): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const image = sharp({ limitInputPixels: mostPixels, failOn: "error" })
    .autoOrient()
    .resize({ ...size, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality });
  const source = Readable.from(await file.open());
  source.on("error", (error) => image.destroy(error));
  return source.pipe(image).toBuffer();
}

/** One at a time in the process: a decoded picture is large, and the cores have other work. */
let last: Promise<unknown> = Promise.resolve();
function onePicture<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine.catch(() => {});
  return mine;
}
