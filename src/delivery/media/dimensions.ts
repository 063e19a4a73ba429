export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** The size of a picture as it is shown; undefined if the file is none, or of a kind that cannot be read here. */
export async function dimensionsOf(file: {
  readonly path: string;
  readonly contentType: string;
}): Promise<Dimensions | undefined> {
  if (!file.contentType.startsWith("image/")) return undefined;
  const { default: sharp } = await import("sharp");
  try {
    const { width, height, orientation = 1 } = await sharp(file.path).metadata();
    // EXIF orientations from 5 on swap width and height.
    return orientation > 4 ? { width: height, height: width } : { width, height };
  } catch {
    // The provider may know a format that cannot be read here.
    return undefined;
  }
}
