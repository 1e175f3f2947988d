// Every page at 360 and 1280 px, light and dark: no violation found by axe, nothing wider than the screen, no error; and pictures, if wanted.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browser, flaws, openPage, server, until } from './support.mjs';

let site, instance, study, run;
before(async () => {
  [site, instance] = await Promise.all([server(), browser()]);
  ({ study, run } = await finishedRun());
});
after(async () => {
  await instance?.close();
  await site?.end();
});

/** A run to look at: any that is over, else one of a short study made for this. */
async function finishedRun() {
  const ask = async () => (await (await fetch(`${site.url}/api/runs?state=finished&size=1`)).json()).runs[0];
  if (!(await ask())) {
    const [template] = await (await fetch(`${site.url}/api/studies/templates`)).json();
    const body = JSON.stringify({ toml: template.toml, short: true });
    await fetch(`${site.url}/api/studies`, { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: site.url }, body });
    await until('a run is over', async () => Boolean(await ask()));
  }
  const [name, part] = (await ask()).id.split('/');
  return { study: name, run: part };
}

const pages = () => ({
  home: '/',
  'play-2048': '/play/2048',
  'play-tetris': '/play/tetris',
  'play-connect': '/play/connect?pos=44535331',
  watch: '/watch',
  runs: '/runs',
  run: `/runs/${study}/${run}`,
  study: `/studies/${study}`,
  'new-study': '/studies/new',
  compare: `/compare?names=${study}`,
  leaderboard: '/leaderboard/2048',
  nowhere: '/nowhere',
});

for (const width of [360, 1280]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`pages at ${width} px, ${colorScheme}`, async () => {
      const { page, errors, close } = await openPage(instance, { viewport: { width, height: width === 360 ? 760 : 900 }, colorScheme, hasTouch: width === 360 });
      for (const [name, path] of Object.entries(pages())) {
        await page.goto(site.url + path);
        await page.locator('h1').waitFor();
        await until(`${name} is loaded`, async () => (await page.locator('.message.loading').count()) === 0);
        await page.waitForTimeout(150);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${name} is wider than the screen`);
        assert.deepEqual(await flaws(page), [], name);
        if (process.env.SHOTS) {
          await mkdir(process.env.SHOTS, { recursive: true });
          await page.screenshot({ path: join(process.env.SHOTS, `${name}-${width}-${colorScheme}.png`), fullPage: true });
        }
      }
      assert.deepEqual(errors, []);
      await close();
    });
  }
}

test('the theme is toggled and remembered; links and the skip link work by keyboard', async () => {
  const { page, errors, close } = await openPage(instance, { colorScheme: 'light' });
  await page.goto(site.url);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
  await page.getByRole('button', { name: 'Switch to dark colours' }).press('Enter');
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.getByRole('link', { name: 'Watch' }).press('Enter');
  await page.getByRole('heading', { name: 'Watch', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/watch');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: /laboratory/ }).waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test('two players are watched side by side, and measured', async () => {
  const { page, errors, close } = await openPage(instance);
  await page.goto(`${site.url}/watch`);
  await page.getByRole('combobox', { name: 'Player', exact: true }).selectOption('greedy');
  await page.getByLabel('Beside it').selectOption('random');
  await page.getByLabel('Time between moves').fill('0');
  await page.getByRole('button', { name: 'Watch a game' }).click();
  await until('both games end', async () => (await page.locator('dd [role=status]').allInnerTexts()).filter((state) => /over|won/.test(state)).length === 2);
  await page.getByLabel('Games', { exact: true }).fill('20');
  await page.getByRole('button', { name: 'Measure' }).click();
  await until('both are measured', async () => (await page.getByText('20 of 20 games, done').count()) === 2);
  assert.deepEqual(await flaws(page), []);
  assert.deepEqual(errors, []);
  await close();
});
