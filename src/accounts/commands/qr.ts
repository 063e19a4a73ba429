import encodeQR from "qr";

/** A QR code in block characters, two rows of it to a line, that a phone reads from a terminal with a dark background. */
export function qrText(text: string): string {
  return encodeQR(text, "ascii", { ecc: "low", border: 2 }).trimEnd();
}
