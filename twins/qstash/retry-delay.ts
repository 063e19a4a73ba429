/** Expressions of `Upstash-Retry-Delay`, such as `pow(2, retried) * 1000`: numbers, `retried`, + - * / ( ) and a few functions. */
const functions: Readonly<Record<string, (...values: number[]) => number>> = {
  pow: (base = Number.NaN, power = Number.NaN) => base ** power,
  sqrt: (value = Number.NaN) => Math.sqrt(value),
  abs: (value = Number.NaN) => Math.abs(value),
  exp: (value = Number.NaN) => Math.exp(value),
  floor: (value = Number.NaN) => Math.floor(value),
  ceil: (value = Number.NaN) => Math.ceil(value),
  round: (value = Number.NaN) => Math.round(value),
  min: (...values) => Math.min(...values),
  max: (...values) => Math.max(...values),
};

/** Milliseconds for a message that was retried so often; undefined if the expression cannot be read. */
export function delayOf(expression: string, retried: number): number | undefined {
  const words = expression.match(/\d+(?:\.\d+)?|[a-z]+|\S/gi) ?? [];
  let at = 0;
  const takes = (word: string) => {
    if (words[at] !== word) return false;
    at += 1;
    return true;
  };

  function sum(): number {
    let value = product();
    for (;;) {
      if (takes("+")) value += product();
      else if (takes("-")) value -= product();
      else return value;
    }
  }

  function product(): number {
    let value = single();
    for (;;) {
      if (takes("*")) value *= single();
      else if (takes("/")) value /= single();
      else return value;
    }
  }

  function single(): number {
    if (takes("-")) return -single();
    if (takes("(")) return inBrackets(sum());
    const word = words[at] ?? "";
    at += 1;
    if (word === "retried") return retried;
    const call = Object.hasOwn(functions, word) ? functions[word] : undefined;
    if (!call) return /^\d/.test(word) ? Number(word) : Number.NaN;
    if (!takes("(")) return Number.NaN;
    const values = [sum()];
    while (takes(",")) values.push(sum());
    return inBrackets(call(...values));
  }

  const inBrackets = (value: number) => (takes(")") ? value : Number.NaN);

  const value = words.length > 100 ? Number.NaN : sum();
  return at === words.length && Number.isFinite(value) ? value : undefined;
}
