/** Error correction of QR codes: Reed–Solomon over GF(256) with the polynomial 0x11d. */
const exponents = new Uint8Array(512);
const logarithms = new Uint8Array(256);
{
  let value = 1;
  for (let power = 0; power < 255; power += 1) {
    exponents[power] = value;
    logarithms[value] = power;
    value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
  }
  for (let power = 255; power < 512; power += 1) exponents[power] = exponents[power - 255] ?? 0;
}

/** The remainder of the data by the generator of this degree: what is appended to it. */
export function correctionOf(data: readonly number[], degree: number): number[] {
  const generator = generatorOf(degree);
  const rest = new Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (let index = 0; index < degree; index += 1) {
      rest[index] = (rest[index] ?? 0) ^ times(generator[index] ?? 0, factor);
    }
  }
  return rest;
}

/** (x − 1)(x − 2)(x − 4)…, highest power left out, then falling. */
function generatorOf(degree: number): number[] {
  const polynomial = new Array<number>(degree).fill(0);
  polynomial[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let index = 0; index < degree; index += 1) {
      polynomial[index] = times(polynomial[index] ?? 0, root) ^ (polynomial[index + 1] ?? 0);
    }
    root = times(root, 2);
  }
  return polynomial;
}

function times(one: number, other: number): number {
  if (one === 0 || other === 0) return 0;
  return exponents[(logarithms[one] ?? 0) + (logarithms[other] ?? 0)] ?? 0;
}
