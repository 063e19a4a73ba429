const kbps = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];

/** Seconds of a WAV or a constant-rate MP3; other formats are assumed to be short enough. */
export function secondsOf(bytes: Uint8Array): number | undefined {
  return wav(bytes) ?? mp3(bytes);
}

function wav(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const riff = 0x52494646;
  if (bytes.length < 44 || view.getUint32(0) !== riff) return undefined;
  const bytesPerSecond = view.getUint32(28, true);
  return bytesPerSecond > 0 ? (bytes.length - 44) / bytesPerSecond : undefined;
}

function mp3(bytes: Uint8Array): number | undefined {
  const start = afterTag(bytes);
  const [sync, version, rate] = bytes.subarray(start, start + 3);
  const isLayer3 = sync === 0xff && version !== undefined && (version & 0xfe) === 0xfa;
  const bitrate = isLayer3 && rate !== undefined ? kbps[rate >> 4] : undefined;
  return bitrate ? ((bytes.length - start) * 8) / (bitrate * 1000) : undefined;
}

/** An ID3 tag before the sound states its own length in four groups of seven bits. */
function afterTag(bytes: Uint8Array): number {
  const [i, d, three] = bytes;
  if (i !== 0x49 || d !== 0x44 || three !== 0x33) return 0;
  return [...bytes.subarray(6, 10)].reduce((size, part) => size * 128 + (part & 0x7f), 0) + 10;
}
