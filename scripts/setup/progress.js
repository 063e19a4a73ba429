// Shows that something is going on: a live line with the seconds on a terminal, plain lines elsewhere.
// On standard error, because standard output belongs to the command that comes after.

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const plainEverySeconds = 15;

export function createProgress({ quiet = false, stream = process.stderr } = {}) {
  if (stream.isTTY) return { step: (title, action) => liveStep(stream, title, action) };
  if (quiet) return { step: (_title, action) => action() };
  return { step: (title, action) => plainStep(stream, title, action) };
}

async function liveStep(stream, title, action) {
  const began = Date.now();
  let frame = 0;
  const draw = () => {
    stream.write(`\r\x1b[K${frames[frame++ % frames.length]} ${title}… ${seconds(began)} s`);
  };
  draw();
  const timer = setInterval(draw, 100);
  try {
    const result = await action();
    stream.write(`\r\x1b[K✓ ${title} (${seconds(began)} s)\n`);
    return result;
  } catch (error) {
    stream.write(`\r\x1b[K✗ ${title}\n`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function plainStep(stream, title, action) {
  const began = Date.now();
  stream.write(`${title}…\n`);
  const timer = setInterval(() => stream.write(`  … ${seconds(began)} s\n`), plainEverySeconds * 1000);
  try {
    const result = await action();
    stream.write(`${title}: done in ${seconds(began)} s\n`);
    return result;
  } finally {
    clearInterval(timer);
  }
}

function seconds(began) {
  return Math.round((Date.now() - began) / 1000);
}
