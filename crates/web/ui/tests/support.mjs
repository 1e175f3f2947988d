// What all tests of the page share: a server, a browser, a page that notes every error, and axe.
//
// GAMETE_URL  address of a running `gamete serve`; or
// GAMETE_BIN  the program, which is then started with a directory of its own for runs.
// CHROMIUM    the browser [/usr/bin/chromium]
// SHOTS       a folder for screenshots; without it none are kept.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** As root, and without a word to hosts that cannot be reached. */
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];
/** Machines of tests are slow and busy. */
export const PATIENCE = 60_000;

/** The address of the server, and how to end it. */
export async function server() {
  if (process.env.GAMETE_URL) return { url: process.env.GAMETE_URL.replace(/\/$/, ''), end: async () => {} };
  assert.ok(process.env.GAMETE_BIN, 'set GAMETE_URL to a running server, or GAMETE_BIN to the program');
  const runs = await mkdtemp(join(tmpdir(), 'gamete-ui-'));
  if (process.env.GAMETE_RUNS_SAMPLE) await cp(process.env.GAMETE_RUNS_SAMPLE, runs, { recursive: true });
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

export function browser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/** A new page in a context of its own; `errors` fills with all that went wrong in it. */
export async function openPage(instance, options = {}) {
  const context = await instance.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  return { page, errors, close: () => context.close() };
}

const axeText = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong with the page, a line each. The content security policy forbids scripts from elsewhere, so axe comes in by evaluation. */
export async function flaws(page) {
  await page.evaluate(await axeText);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
}

/** Looks again and again until it is so. */
export async function until(what, isSo, patience = PATIENCE) {
  const end = Date.now() + patience;
  for (;;) {
    if (await isSo()) return;
    assert.ok(Date.now() < end, `not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
