// Takes the pictures of the page that the README shows, into docs/pictures. Not a test: run it when pages have changed.
//
//   GAMETE_BIN=../../../target/debug/gamete node tests/pictures.mjs
//
// CHROMIUM    the browser [/usr/bin/chromium]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '../../../..');
const gamete = resolve(process.env.GAMETE_BIN ?? join(root, 'target/debug/gamete'));

/** Each picture: its file, its page, and what makes the page complete. */
const PICTURES = [
  {
    file: 'play-connect.png',
    path: '/play/connect?pos=45344526',
    ready: async (page) => {
      await page.keyboard.press('?');
      await page.getByText('Exact scores').waitFor();
    },
  },
  { file: 'run.png', path: '/runs/quick-2048/s3-r1', ready: (page) => page.locator('canvas').first().waitFor() },
];

async function serve(runs) {
  const program = spawn(gamete, ['serve', '--no-open', '--port', '0', '--runs-dir', runs], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((found, failed) => {
    let told = '';
    program.stdout.on('data', (text) => {
      told += text;
      const address = /http:\/\/[^\s/]+/.exec(told);
      if (address) found(address[0]);
    });
    program.on('exit', () => failed(new Error(`the server ended: ${told}`)));
  });
  return { program, url };
}

async function take(page, url, { file, path, ready }) {
  await page.goto(url + path, { waitUntil: 'load' });
  await page.locator('h1').first().waitFor();
  await ready(page);
  // Charts are drawn after their numbers have come.
  await page.waitForTimeout(3000);
  await page.screenshot({ path: join(root, 'docs/pictures', file) });
  console.log(file);
}

const runs = await mkdtemp(join(tmpdir(), 'gamete-pictures-'));
execFileSync(gamete, ['run', 'studies/quick/2048.toml', '--quiet', '--runs-dir', runs], { cwd: root });
const { program, url } = await serve(runs);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  for (const picture of PICTURES) await take(page, url, picture);
} finally {
  await browser.close();
  program.kill('SIGTERM');
  await rm(runs, { recursive: true, force: true });
}
