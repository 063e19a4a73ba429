/** A PNG header of this size; pixels are never read. */
export function pngOf(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A JPEG header of this size. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from("ffd8ffc00011080000000003012200021101031101ffd9", "hex");
  frame.writeUInt16BE(height, 7);
  frame.writeUInt16BE(width, 9);
  return frame;
}
