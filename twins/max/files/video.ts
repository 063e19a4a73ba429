const boxes = ["ftyp", "moov", "mdat", "wide", "free", "skip"];

/** Whether the bytes begin like mp4 or mov (a known box), mkv or webm (an EBML head). */
export function isVideo(bytes: Uint8Array): boolean {
  const box = String.fromCharCode(...bytes.subarray(4, 8));
  const [a, b, c, d] = bytes;
  return boxes.includes(box) || (a === 0x1a && b === 0x45 && c === 0xdf && d === 0xa3);
}
