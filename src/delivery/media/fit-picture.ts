/** Converts pictures to what a provider accepts: format, size in bytes and dimensions. */
import { Readable } from "node:stream";
import type { Sharp } from "sharp";
import type { MediaFile, PictureRules } from "../../platforms/index.ts";
import { type FileError, tooLarge, wrongKind } from "./file-errors.ts";

export interface Picture {
  readonly file: MediaFile;
  readonly width: number | null;
  readonly height: number | null;
}

export interface FitOptions {
  readonly rules: PictureRules;
  readonly maxBytes: number;
  /** Whether the channel allows pictures to be changed. */
  readonly mayConvert: boolean;
}

/** The file itself if it fits, else a JPEG or WebP that does, else the reason why there is none. */
export async function fitPicture(picture: Picture, options: FitOptions): Promise<MediaFile | FileError> {
  const misfit = misfitOf(picture, options);
  if (!misfit) return picture.file;
  if (!misfit.curable) return misfit.error;
  if (!options.mayConvert) {
    const { message, ...error } = misfit.error;
    return {
      ...error,
      message: `${message}; with the channel's setting convert_images it would be converted`,
    };
  }
  return convert(picture, options, misfit.error);
}

interface Misfit {
  readonly error: FileError;
  readonly curable: boolean;
}

function misfitOf(picture: Picture, { rules, maxBytes, mayConvert }: FitOptions): Misfit | undefined {
  const { file, width, height } = picture;
  const { contentTypes, longestSide = Infinity, sidesSum = Infinity, ratio = Infinity } = rules;
  if (width && height && Math.max(width, height) / Math.min(width, height) > ratio)
    return {
      curable: false,
      error: wrongKind(`is ${width}×${height}: one side may be ${ratio} times as long as the other at most`),
    };
  const curable = (error: FileError): Misfit => ({ curable: true, error });
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
  // A wish, not a rule: where pictures may not be changed, it is ignored.
  const [across, down] = rules.proportion ?? [];
  if (mayConvert && across && down && isOff(picture, across / down))
    return curable(wrongKind(`is ${width}×${height}, and ${across}:${down} is wanted`));
  return undefined;
}

/** Rounding to whole pixels is no reason to convert a picture. */
const proportionSlack = 0.01;

function isOff({ width, height }: Picture, wanted: number): boolean {
  return width !== null && height !== null && Math.abs(width / height / wanted - 1) > proportionSlack;
}

/** The largest part of a picture with this proportion. */
function croppedTo(
  { width, height }: { readonly width: number; readonly height: number },
  [across, down]: readonly [width: number, height: number],
) {
  const unit = Math.min(width / across, height / down);
  return { width: Math.max(1, Math.round(unit * across)), height: Math.max(1, Math.round(unit * down)) };
}

/** From hardly visible loss to the last resort, each smaller than the one before. */
const tries = [
  { quality: 90, scale: 1 },
  { quality: 82, scale: 0.8 },
  { quality: 75, scale: 0.5 },
  { quality: 65, scale: 0.3 },
] as const;

/** Decoding this many pixels takes about 400 MB; with more, a small file can be a decompression bomb. */
const mostPixels = 100_000_000;

async function convert(
  { file, width: fullWidth, height: fullHeight }: Picture,
  { rules, maxBytes }: FitOptions,
  reason: FileError,
): Promise<MediaFile | FileError> {
  const { longestSide = Infinity, sidesSum = Infinity, proportion, convertsTo } = rules;
  const full = fullWidth && fullHeight ? { width: fullWidth, height: fullHeight } : undefined;
  const { width, height } = (full && proportion ? croppedTo(full, proportion) : full) ?? {};
  const { contentType, end, encode } = convertsTo === "image/webp" ? webp : jpeg;
  for (const { quality, scale } of tries) {
    const fitting =
      width && height
        ? Math.min(1, longestSide / Math.max(width, height), sidesSum / (width + height)) * scale
        : scale;
    const size =
      width && height ? { width: Math.floor(width * fitting), height: Math.floor(height * fitting) } : {};
    const fit = proportion ? "cover" : "inside";
    const bytes = await onePicture(() => encode(file, { ...size, fit }, quality)).catch(
      (cause: unknown) => cause,
    );
    if (!(bytes instanceof Uint8Array)) {
      const why = bytes instanceof Error ? bytes.message : String(bytes);
      return { ...reason, message: `${reason.message}, and it could not be converted: ${why}` };
    }
    if (bytes.length <= maxBytes) {
      return {
        size: bytes.length,
        contentType,
        fileName: file.fileName.replace(/(\.[^.]*)?$/, end),
        open: async () => Readable.from([bytes]),
      };
    }
  }
  return { ...reason, message: `${reason.message}, and no smaller copy of it fits` };
}

type Encode = (
  file: MediaFile,
  size: { width?: number; height?: number; fit: "cover" | "inside" },
  quality: number,
) => Promise<Uint8Array>;

interface Format {
  readonly contentType: string;
  readonly end: string;
  readonly encode: Encode;
}

/** JPEG has no transparency. */
const jpeg: Format = {
  contentType: "image/jpeg",
  end: ".jpg",
  encode: (file, size, quality) =>
    encoded(file, size, (image) => image.flatten({ background: "#ffffff" }).jpeg({ quality })),
};

const webp: Format = {
  contentType: "image/webp",
  end: ".webp",
  encode: (file, size, quality) => encoded(file, size, (image) => image.webp({ quality })),
};

async function encoded(
  file: MediaFile,
  size: Parameters<Encode>[1],
  format: (image: Sharp) => Sharp,
): Promise<Uint8Array> {
  const { default: sharp } = await import("sharp");
  const image = format(
    sharp({ limitInputPixels: mostPixels, failOn: "error" })
      .autoOrient()
      // Cropping keeps the part that catches the eye.
      .resize({ ...size, position: "attention", withoutEnlargement: true }),
  );
  const source = Readable.from(await file.open());
  source.on("error", (error) => image.destroy(error));
  return source.pipe(image).toBuffer();
}

/** One at a time in the process: a decoded picture is large, and the processor has other work. */
let last: Promise<unknown> = Promise.resolve();
function onePicture<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work, work);
  last = mine.catch(() => {});
  return mine;
}
