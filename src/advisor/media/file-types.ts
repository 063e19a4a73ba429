/** File type is detected from content. */
const signs = {
  "image/jpeg": (b: Buffer) => b.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  "image/png": (b: Buffer) => b.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])),
  "image/webp": (b: Buffer) => ascii(b, 0, 4) === "RIFF" && ascii(b, 8, 12) === "WEBP",
  "audio/ogg": (b: Buffer) => ascii(b, 0, 4) === "OggS",
  "audio/wav": (b: Buffer) => ascii(b, 0, 4) === "RIFF" && ascii(b, 8, 12) === "WAVE",
  "audio/mpeg": (b: Buffer) => ascii(b, 0, 3) === "ID3" || (b[0] === 0xff && ((b[1] ?? 0) & 0xe0) === 0xe0),
  "audio/mp4": (b: Buffer) => ascii(b, 4, 8) === "ftyp",
} as const;
export type FileType = keyof typeof signs;

export const photoTypes = ["image/jpeg", "image/png", "image/webp"] as const;
export const audioTypes = ["audio/ogg", "audio/mpeg", "audio/wav", "audio/mp4"] as const;

export function isOfType(type: FileType, bytes: Uint8Array): boolean {
  return bytes.length >= 12 && signs[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function ascii(bytes: Buffer, from: number, to: number): string {
  return bytes.toString("latin1", from, to);
}
