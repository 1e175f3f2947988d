// A study from the form to its report: written, checked, started, followed live, stopped, resumed, compared.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, flaws, openPage, server, until } from './support.mjs';

const NAME = `from-the-form-${process.pid}`;
let site, instance, opened;
before(async () => {
  [site, instance] = await Promise.all([server(), browser()]);
  opened = await openPage(instance);
});
after(async () => {
  await instance?.close();
  await site?.end();
});
const text = (page) => page.getByLabel('Study file (TOML)');
const field = (page, section, name) => page.locator('details', { has: page.locator(`summary:text-is("${section}")`) }).getByLabel(name, { exact: false }).first();

test('a flaw is marked where it stands, and the form changes only its key', async () => {
  const { page } = opened;
  await page.goto(`${site.url}/studies/new`);
  await page.getByText('✓ Ready').waitFor();
  const before = await text(page).inputValue();
  await text(page).fill(before.replace('preset = "', 'preset = "no-such-'));
  await page.locator('.mark').first().waitFor();
  const line = before.split('\n').findIndex((row) => row.startsWith('preset')) + 1;
  await page.getByRole('button', { name: `Line ${line}` }).waitFor();
  await text(page).fill(before);
  await page.getByText('✓ Ready').waitFor();
  const name = page.locator('form[aria-label=Study] input').first();
  await name.fill(NAME);
  await name.press('Tab');
  assert.equal(await text(page).inputValue(), before.replace(/^name = ".*"/m, `name = "${NAME}"`));
});

test('it is started from the form and seen live', async () => {
  const { page } = opened;
  await field(page, 'Stop', 'generations').fill('400');
  await field(page, 'Stop', 'generations').press('Tab');
  await field(page, 'Study', 'repeats').fill('2');
  await field(page, 'Study', 'repeats').press('Tab');
  assert.match(await text(page).inputValue(), /^generations = 400/m);
  await page.getByText('✓ Ready').waitFor();
  await page.getByRole('button', { name: '▶ Start' }).click();
  await page.waitForURL(`**/studies/${NAME}`);
  await page.locator('.badge.running').first().waitFor();
  await page.goto(`${site.url}/runs/${NAME}/s1-r1`);
  await page.getByRole('img', { name: /Fitness by generation/ }).waitFor();
  const done = async () => Number(/^([\d,]+) of/.exec(await page.locator('[aria-live=polite]').first().innerText())?.[1]?.replaceAll(',', '') ?? 0);
  const first = await done();
  await until('it goes on by itself', async () => (await done()) > first);
  assert.deepEqual(await flaws(page), []);
});

test('it stops, resumes, and stops again', async () => {
  const { page } = opened;
  await page.goto(`${site.url}/studies/${NAME}`);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.badge.interrupted').first().waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.badge.running').first().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.badge.interrupted').first().waitFor();
});

test('a short one ends, has a report, and its settings are compared', async () => {
  const { page } = opened;
  await page.goto(`${site.url}/studies/new`);
  await page.getByText('✓ Ready').waitFor();
  const before = await text(page).inputValue();
  await text(page).fill(before.replace(/^name = ".*"/m, `name = "${NAME}"`).replace(/^repeats = .*/m, 'repeats = 2'));
  await page.getByText('6 runs').waitFor();
  // The server calls the short form of a study by a name of its own.
  await page.getByRole('button', { name: 'Try it short' }).click();
  await page.waitForURL(`**/studies/${NAME}-short`);
  await page.locator('.badge.finished').first().waitFor();
  await page.locator('.verdict').waitFor();
  await page.locator('img.chart').first().scrollIntoViewIfNeeded();
  await until('charts are drawn', () => page.locator('img.chart').first().evaluate((image) => image.naturalWidth > 0));

  const [report] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Open the report' }).click()]);
  // The report is shown without any rights, scripts among them, so its text is asked for beside it.
  const shown = await page.request.get(report.url());
  assert.ok(shown.ok() && (await shown.text()).includes(`${NAME}-short`));
  await report.close();

  await page.goto(`${site.url}/compare`);
  await page.getByLabel('Find a study').fill(`${NAME}-short`);
  const settings = page.locator('.study', { hasText: `${NAME}-short` }).first();
  await settings.locator('summary').click();
  for (const i of [0, 1]) await settings.locator('details input').nth(i).check();
  await page.locator('.verdict').waitFor();
  assert.match(decodeURIComponent(page.url()), new RegExp(`names=${NAME}-short/s1,${NAME}-short/s2`));
  await until('the chart is drawn', () => page.locator('img.chart').evaluate((image) => image.naturalWidth > 0));

  await page.goto(`${site.url}/runs/${NAME}-short/s1-r1`);
  await page.getByRole('button', { name: 'Show its best game' }).click();
  await page.getByRole('region', { name: 'Replay' }).getByRole('button', { name: '▶ Play' }).click();
});

test('nothing went wrong in the page', () => {
  assert.deepEqual(opened.errors, []);
});
