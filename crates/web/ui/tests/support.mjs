// What all tests of the page share: a server, a browser, a page that notes every error, and axe.
//
// GAMETE_URL  address of a running `gamete serve`; or
// GAMETE_BIN  the program, which is then started with a directory of its own for runs.
// CHROMIUM    the browser [/usr/bin/chromium]
// SHOTS       a folder for screenshots; without it none are kept.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';

/** As root, and without a word to hosts that cannot be reached. */
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];
/** Only what hangs takes so long, however busy the machine is. */
const PATIENCE = 600_000;

/** The address of the server, and how to end it. */
async function server() {
  if (process.env.GAMETE_URL) return { url: process.env.GAMETE_URL.replace(/\/$/, ''), end: async () => {} };
  assert.ok(process.env.GAMETE_BIN, 'set GAMETE_URL to a running server, or GAMETE_BIN to the program');
  const runs = await mkdtemp(join(tmpdir(), 'gamete-ui-'));
  const program = spawn(process.env.GAMETE_BIN, ['serve', '--no-open', '--port', '0', '--runs-dir', runs], { stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise((resolve, reject) => {
    let told = '';
    const read = (text) => {
      told += text;
      const found = /http:\/\/[^\s/]+/.exec(told);
      if (found) resolve(found[0]);
    };
    program.stdout.on('data', read);
    program.stderr.on('data', read);
    program.on('exit', () => reject(new Error(`the server ended: ${told}`)));
  });
  const end = async () => {
    const ended = new Promise((resolve) => program.on('exit', resolve));
    program.kill('SIGTERM');
    await ended;
    await rm(runs, { recursive: true, force: true });
  };
  return { url, end };
}

function browser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS, timeout: PATIENCE });
}

/** Tests that share a server and a browser, some of them at the same time; `tell` makes them, from what `site` and `instance` will be. */
export function suite(name, concurrency, tell) {
  const shared = {};
  describe(name, { concurrency }, () => {
    before(async () => {
      [shared.site, shared.instance] = await Promise.all([server(), browser()]);
    });
    after(async () => {
      await shared.instance?.close();
      await shared.site?.end();
    });
    tell(shared);
  });
}

/** A test with a page of its own, in which nothing may go wrong. */
export function inPage(name, shared, options, steps) {
  test(name, async () => {
    const { page, errors, close } = await openPage(shared.instance, options);
    await steps(page);
    assert.deepEqual(errors, []);
    await close();
  });
}

/** A new page in a context of its own, without motion, which costs time; `errors` fills with all that went wrong in it. */
export async function openPage(instance, options = {}) {
  const context = await instance.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  return { page, errors, close: () => context.close() };
}

/** Asks the server beside the page. */
export async function ask(url, path, body) {
  const sent = body && { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(url + path, sent);
  const told = await answer.json();
  assert.ok(answer.ok, `${path}: ${JSON.stringify(told)}`);
  return told;
}

/** Runs a study to its end. */
export async function runStudy(url, toml) {
  const { study } = await ask(url, '/api/studies', { toml });
  await until(`${study} is over`, async () => (await ask(url, `/api/studies/${study}`)).state === 'finished');
  return study;
}

/** A way to the server that can be cut; `heads` has the first line and headers of every request that went through. */
export async function line(url) {
  const { hostname, port } = new URL(url);
  const [open, heads] = [new Set(), []];
  let isCut = false;
  const relay = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port), hostname);
    open.add(near).add(far);
    near.on('data', (bytes) => heads.push(bytes.toString('latin1').split('\r\n\r\n')[0]));
    near.pipe(far).pipe(near);
    for (const end of [near, far]) {
      end.on('error', () => {});
      end.on('close', () => [near, far].forEach((other) => other.destroy()));
    }
  });
  await new Promise((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    open.forEach((end) => end.destroy());
  };
  const mend = () => (isCut = false);
  const end = () => {
    cut();
    return new Promise((resolve) => relay.close(resolve));
  };
  return { url: `http://127.0.0.1:${relay.address().port}`, heads, cut, mend, end };
}

const axeText = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page, a line each. The content security policy forbids scripts from elsewhere, so axe comes in by evaluation. */
export async function flaws(page) {
  await page.evaluate(await axeText);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
}

/** Keeps a picture of the whole page, or of what fits the window, if pictures are wanted. */
export async function shot(page, name, fullPage = true) {
  if (!process.env.SHOTS) return;
  await mkdir(process.env.SHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), fullPage });
}

/** Looks again and again until it is so. */
export async function until(what, isSo) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    if (await isSo()) return;
    assert.ok(Date.now() < end, `not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
