import { Readable } from "node:stream";
import type { MediaKind } from "../../src/content/index.ts";
import type {
  CompiledMedia,
  LentFile,
  MediaFault,
  MediaFile,
  MediaSource,
} from "../../src/platforms/index.ts";

/** A media source for adapter tests, which counts; files that are lent for upload are recorded. */
export interface SampleMedia extends MediaSource {
  readonly lentToUpload: string[];
  readonly references: Map<string, string>;
}

export function sampleMedia(
  given: { fault?: Omit<MediaFault, "place">; files?: Partial<Samples>; waited?: boolean } = {},
): SampleMedia {
  const files = { ...samples, ...given.files };
  const references = new Map<string, string>();
  const lentToUpload: string[] = [];
  const nameOf = ({ kind, url, blobRef }: CompiledMedia) => `${kind} ${blobRef ?? url}`;

  return {
    references,
    lentToUpload,
    async lend(media, { rulesFor, refused }, use) {
      if (given.fault && media.length > 0) return { ok: false, fault: { ...given.fault, place: 0 } };
      const lent = media.map((medium): LentFile => {
        const file = files[medium.kind];
        const { as } = rulesFor(medium, file.contentType);
        const reference = references.get(nameOf(medium));
        if (reference && !refused?.includes(reference))
          return { as, kind: "reference", reference, waited: given.waited ?? false };
        lentToUpload.push(nameOf(medium));
        const uploaded = async (name: string) => void references.set(nameOf(medium), name);
        return { as, kind: "upload", file, uploaded };
      });
      return { ok: true, value: await use(lent) };
    },
    known: async (medium) => references.get(nameOf(medium)),
  };
}

type Samples = Record<MediaKind, MediaFile>;

/** A small file of each kind, valid as far as it is read. */
const samples: Samples = {
  photo: aFile(png(640, 480), "image/png", "photo.png"),
  video: aFile(mp4(), "video/mp4", "video.mp4"),
  animation: aFile(mp4(), "video/mp4", "animation.mp4"),
  audio: aFile(Buffer.from("ID3 sound"), "audio/mpeg", "sound.mp3"),
  document: aFile(Buffer.from("%PDF-1.4"), "application/pdf", "прайс.pdf"),
};

export function aFile(bytes: Uint8Array, contentType: string, fileName: string): MediaFile {
  return { size: bytes.length, contentType, fileName, open: async () => Readable.from([bytes]) };
}

/** The header of a picture of this size; `bytes` long in all. */
export function png(width: number, height: number, bytes = 64): Buffer {
  const picture = Buffer.alloc(bytes);
  picture.write("\x89PNG\r\n\x1a\n", "latin1");
  picture.writeUInt32BE(13, 8);
  picture.write("IHDR", 12, "latin1");
  picture.writeUInt32BE(width, 16);
  picture.writeUInt32BE(height, 20);
  return picture;
}

function mp4(): Buffer {
  return Buffer.from("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "latin1");
}
