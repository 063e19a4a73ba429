import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

interface Cost {
  /** Base-2 logarithm of the CPU and memory cost. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** One of the settings that OWASP's password storage page lists for scrypt: 32 MB, three rounds. */
const cost: Cost = { ln: 15, r: 8, p: 3 };
const saltBytes = 16;
const keyBytes = 32;

const phc = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return written(cost, salt, await derive(password, salt, cost));
}

/** Takes as long for a missing hash as for a real one, so that the timing does not reveal which logins exist. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const { key, salt, cost: itsCost } = parse(hash ?? decoy);
  const fits = timingSafeEqual(await derive(password, salt, itsCost), key);
  return fits && hash !== null;
}

/** Whether a hash was made with other parameters than the current ones and should be replaced. */
export function isOutdated(hash: string): boolean {
  const { ln, r, p } = parse(hash).cost;
  return ln !== cost.ln || r !== cost.r || p !== cost.p;
}

const decoy = written(cost, Buffer.alloc(saltBytes), Buffer.alloc(keyBytes));

function written({ ln, r, p }: Cost, salt: Buffer, key: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString("base64url")}$${key.toString("base64url")}`;
}

function parse(hash: string): { cost: Cost; salt: Buffer; key: Buffer } {
  const [, ln, r, p, salt, key] = phc.exec(hash) ?? [];
  if (!salt || !key) throw new Error("a stored password hash is not a scrypt PHC string");
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, "base64url"),
    key: Buffer.from(key, "base64url"),
  };
}

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln;
  // Node's default limit is 32 MB; scrypt needs 128·N·r and a little more.
  const maxmem = 128 * N * r * 2;
  return new Promise((resolve, reject) => {
    // Keyboards may send the same password in composed or decomposed Unicode.
    scrypt(password.normalize("NFC"), salt, keyBytes, { N, r, p, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
