// A study from the form to its report: written, checked, started, followed live, stopped, resumed, forked, compared; and what happens when the line breaks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, flaws, inPage, line, openPage, suite, until } from './support.mjs';

const NAME = 'from-the-form';
const text = (page) => page.getByLabel('Study file (TOML)');
const field = (page, section, name) => page.locator('details', { has: page.locator(`summary:text-is("${section}")`) }).getByLabel(name, { exact: false }).first();

suite('a study', 1, (shared) => {
  let opened, url;
  before(async () => {
    opened = await openPage(shared.instance);
    url = shared.site.url;
  });
  const step = (name, steps) => test(name, () => steps(opened.page));

  step('a flaw is marked where it stands, and the form changes only its key', async (page) => {
    await page.goto(`${url}/new-study`);
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

  step('settings that are listed one by one are changed in the form', async (page) => {
    const compared = page.locator('details', { has: page.locator('summary:text-is("What is compared")') });
    const before = await text(page).inputValue();
    const rename = async (from, to) => {
      const name = compared.getByRole('group', { name: from }).getByLabel('Name');
      await name.fill(to);
      await name.press('Tab');
    };
    await rename('CMA-ES', 'evolution strategy');
    assert.equal(await text(page).inputValue(), before.replace('label = "CMA-ES"', 'label = "evolution strategy"'));
    await compared.getByRole('button', { name: 'Add a setting' }).click();
    await page.getByText('✓ Ready: 4 settings').waitFor();
    await compared.getByRole('button', { name: 'Remove setting 4', exact: true }).click();
    await page.getByText('✓ Ready: 3 settings').waitFor();
    await rename('evolution strategy', 'CMA-ES');
    assert.equal(await text(page).inputValue(), before);
  });

  step('it is started from the form and seen live', async (page) => {
    // More than it can do before it is stopped.
    await field(page, 'Stop', 'generations').fill('1000000');
    await field(page, 'Stop', 'generations').press('Tab');
    await field(page, 'Study', 'repeats').fill('2');
    await field(page, 'Study', 'repeats').press('Tab');
    assert.match(await text(page).inputValue(), /^generations = 1000000/m);
    await page.getByText('✓ Ready').waitFor();
    await page.getByRole('button', { name: '▶ Start' }).click();
    await page.waitForURL(`**/studies/${NAME}`);
    await page.locator('.badge.running').first().waitFor();
    await page.goto(`${url}/runs/${NAME}/s1-r1`);
    await page.getByRole('img', { name: /Fitness by generation/ }).waitFor();
    const done = async () => Number(/^([\d,]+) of/.exec(await page.locator('main [aria-live=polite]').first().innerText())?.[1]?.replaceAll(',', '') ?? 0);
    const first = await done();
    await until('it goes on by itself', async () => (await done()) > first);
    assert.deepEqual(await flaws(page), []);
  });

  step('another one waits for its turn, is shown, and is taken back', async (page) => {
    const other = (await ask(url, `/api/studies/${NAME}`)).toml.replace(NAME, 'the-next');
    await ask(url, '/api/studies', { toml: other });
    await page.goto(`${url}/studies/the-next`);
    await page.getByText('at position 1').waitFor();
    assert.deepEqual(await flaws(page), []);
    await page.getByRole('button', { name: 'Remove from the queue' }).click();
    await page.waitForURL('**/runs');
  });

  step('it stops, resumes, is forked, and stops again', async (page) => {
    await page.goto(`${url}/studies/${NAME}`);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.badge.interrupted').first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.badge.running').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.badge.interrupted').first().waitFor();
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page.waitForURL(`**/studies/${NAME}-2`);
    await page.locator('.badge.running').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.badge.interrupted').first().waitFor();
  });

  step('a short one ends, has a report, and its settings are compared', async (page) => {
    await page.goto(`${url}/new-study`);
    await page.getByText('✓ Ready').waitFor();
    const before = await text(page).inputValue();
    await text(page).fill(before.replace(/^name = ".*"/m, `name = "${NAME}"`).replace(/^repeats = .*/m, 'repeats = 2'));
    await page.getByText('6 runs').waitFor();
    // The server calls the short form of a study by a name of its own.
    await page.getByRole('button', { name: 'Short trial' }).click();
    await page.waitForURL(`**/studies/${NAME}-short`);
    await page.locator('.badge.finished').first().waitFor();
    await page.locator('.verdict').waitFor();
    // The page was there while the study ran: what it shows now is of all runs.
    await until('a dot a run', async () => (await page.locator('.strip circle').count()) === 6);
    await page.getByText(/^More charts/).click();
    const chart = page.locator('img.chart').first();
    await chart.scrollIntoViewIfNeeded();
    await until('charts are drawn', () => chart.evaluate((image) => image.naturalWidth > 0));
    assert.match(await chart.getAttribute('src'), /finished=6$/);

    const [report] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Open the report' }).click()]);
    // The report is shown without any rights, scripts among them, so its text is asked for beside it.
    const shown = await page.request.get(report.url());
    assert.ok(shown.ok() && (await shown.text()).includes(`${NAME}-short`));
    await report.close();

    await page.goto(`${url}/compare`);
    await page.getByLabel('Find a study').fill(`${NAME}-short`);
    const settings = page.locator('.study', { hasText: `${NAME}-short` }).first();
    await settings.locator('summary').click();
    for (const i of [0, 1]) await settings.locator('details input').nth(i).check();
    await page.locator('.verdict').waitFor();
    assert.match(decodeURIComponent(page.url()), new RegExp(`names=${NAME}-short/s1,${NAME}-short/s2`));
    await until('a dot a run', async () => (await page.locator('.strip circle').count()) === 4);
  });

  test('nothing went wrong in the page', () => {
    assert.deepEqual(opened.errors, []);
  });
});

suite('a line that breaks', 1, (shared) => {
  let way;
  before(async () => {
    way = await line(shared.site.url);
  });
  after(() => way?.end());

  inPage('a page that was cut off catches up by itself', shared, {}, async (page) => {
    // That the line is cut is an error to the browser, too.
    page.removeAllListeners('console');
    const { toml } = (await ask(shared.site.url, '/api/templates'))[0];
    const { study } = await ask(shared.site.url, '/api/studies', { toml: toml.replace(/^generations = .*/m, 'generations = 1000000') });
    await page.goto(`${way.url}/studies/${study}`);
    await page.locator('.badge.running').first().waitFor();
    await until('an event was heard', async () => (await page.locator('.row.small a').count()) > 0);
    way.cut();
    await page.locator('.lost').waitFor();
    await ask(shared.site.url, `/api/studies/${study}/stop`, {});
    await until('it has stopped', async () => (await ask(shared.site.url, `/api/studies/${study}`)).state === 'interrupted');
    way.mend();
    await page.locator('.badge.interrupted').first().waitFor();
    await page.locator('.lost').waitFor({ state: 'detached' });
    assert.ok(way.heads.some((head) => /^GET \/api\/events/.test(head) && /last-event-id: \d+/i.test(head)), 'it says what it heard last');
  });
});
