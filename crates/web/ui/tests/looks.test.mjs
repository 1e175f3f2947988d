// Every page at 360, 768 and 1280 px, light and dark: all texts can be read, nothing is wider than the screen, axe finds no violation, no error; and
// pictures, if wanted.
import assert from 'node:assert/strict';
import { before } from 'node:test';
import { flaws, inPage, runStudy, shot, suite, until } from './support.mjs';
import { unreadableTexts } from './texts.mjs';

/** A study with something to see: a curve that rises, genes, champions and their games. */
const EVOLUTION = `
name = "weights-for-2048"
question = "Does a larger population find better weights for 2048 in the same number of generations?"
repeats = 2
preset = "2048-ga"
chromosome = "reals"
initial = 10.0
[game]
name = "2048"
size = "3x3"
[fitness]
games = 8
[stop]
generations = 40
[final]
games = 40
[[vary]]
settings = [
  { label = "a small population", optimizer.population = 8 },
  { label = "a population three times as large, of which half is replaced in every generation", optimizer.population = 24 },
]
`;
/** Labels that are longer than a column, and more champions than a list has room for. */
const LONG_NAMES = `
name = "a-second-study-with-a-name-that-is-long"
question = "Do the probabilities of crossover and mutation act together, or could each of them be chosen without a look at the other?"
repeats = 2
preset = "2048-ga"
[game]
name = "2048"
size = "3x3"
[fitness]
games = 1
[stop]
generations = 2
[final]
games = 6
[[vary]]
optimizer.crossover-probability = [0.8, 0.9, 0.95]
optimizer.mutation-probability = [0.01, 0.5]
`;
/** Players of Connect that meet, for the leaderboard. */
const MEETING = `
name = "who-is-stronger"
question = "How strong are these players against each other?"
kind = "measure"
[game]
name = "connect"
[measure]
games = 20
both-seats = true
[[vary]]
player = ["mcts(iterations=60)", "greedy"]
against = ["greedy", "random"]
`;

const RUN = 'weights-for-2048/s2-r1';
const PAGES = {
  home: '/',
  'play-2048': '/play/2048?pos=b940/8310/5210/2110',
  'play-tetris': '/play/tetris',
  'play-connect': '/play/connect?pos=45344526',
  'play-grid': '/play/tic-tac-toe?pos=x.o/.x./...',
  watch: '/watch',
  replay: `/watch?replay=${RUN}`,
  runs: '/runs',
  run: `/runs/${RUN}`,
  study: '/studies/weights-for-2048',
  'long-names': '/studies/a-second-study-with-a-name-that-is-long',
  'new-study': '/new-study',
  compare: '/compare?names=weights-for-2048,a-second-study-with-a-name-that-is-long',
  'leaderboard-2048': '/leaderboard/2048',
  leaderboard: '/leaderboard/connect',
  cluster: '/cluster',
  results: '/results',
  report: '/results/quick-2048',
  plain: '/plain',
  nowhere: '/nowhere',
};
/** What is done before a page is looked at. */
const PREPARE = {
  'play-grid': async (page) => {
    await page.keyboard.press('?');
    await page.locator('button.best[data-cell]').waitFor();
  },
  'play-connect': async (page) => {
    await page.keyboard.press('?');
    await page.getByText('Exact scores').waitFor();
  },
};

/** Flaws that stay: a page that is still being painted in its new colours has others for a moment. */
async function settledFlaws(page) {
  let found = await flaws(page);
  for (let look = 0; found.length > 0 && look < 20; look += 1) {
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
    found = await flaws(page);
  }
  return found;
}

/** The widths looked at, and whether axe looks, too, and pictures are kept: what axe finds hardly depends on the width. */
const WIDTHS = { 1280: true, 768: false, 360: true };

/** Looks at the page as it is, at one width and in both colour schemes. */
async function look(page, name, width, isWhole) {
  await page.setViewportSize({ width, height: width === 360 ? 760 : 900 });
  for (const colorScheme of ['light', 'dark']) {
    // Without motion: colours in the middle of a change are nobody's.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (name !== 'plain') await until(`${name} is ${colorScheme}`, async () => (await page.evaluate(() => document.documentElement.dataset.theme)) === colorScheme);
    const where = `${name} at ${width} px, ${colorScheme}`;
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${where} is wider than the screen`);
    assert.deepEqual(await unreadableTexts(page), [], where);
    if (isWhole) assert.deepEqual(await settledFlaws(page), [], where);
    if (isWhole) await shot(page, `${name}-${width}-${colorScheme}`);
    // The README shows two of these.
    if (width === 1280 && colorScheme === 'light') await shot(page, `window-${name}`, false);
  }
}

suite('looks', 3, (shared) => {
  before(async () => {
    await Promise.all([EVOLUTION, LONG_NAMES, MEETING].map((study) => runStudy(shared.site.url, study)));
  });

  for (const [name, path] of Object.entries(PAGES)) {
    inPage(`${name} at every width, light and dark`, shared, { colorScheme: 'light' }, async (page) => {
      // That there is no cluster is an error to the browser.
      if (name === 'cluster') page.removeAllListeners('console');
      await page.goto(shared.site.url + path);
      await page.locator('h1').waitFor();
      await until(`${name} is loaded`, async () => (await page.locator('.message.loading').count()) === 0);
      await PREPARE[name]?.(page);
      for (const [width, isWhole] of Object.entries(WIDTHS)) await look(page, name, Number(width), isWhole);
    });
  }

  inPage('texts over each other and texts that are cut are found', shared, {}, async (page) => {
    await page.setContent(`<p style="position: absolute; top: 20px">the first text</p><p style="position: absolute; top: 26px">the second text</p>
      <p style="position: absolute; top: 90px; width: 60px; overflow: hidden; white-space: nowrap">a text without room</p>
      <select style="position: absolute; top: 140px; width: 60px"><option>a choice without room</option></select>
      <div style="position: absolute; top: 200px; height: 30px; overflow-y: auto"><p>what can be</p><p>scrolled to</p></div>
      <p style="position: absolute; top: 300px">below</p><p style="position: absolute; top: 300px; background: white">a message over it</p>`);
    assert.deepEqual(await unreadableTexts(page), ['cut: "a text without room"', 'over each other: "the first text" and "the second text"', 'cut in its field: "a choice without room"']);
  });

  inPage('the theme is toggled and remembered; links and the skip link work by keyboard', shared, { colorScheme: 'light' }, async (page) => {
    await page.goto(shared.site.url);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
    await page.getByRole('button', { name: 'Switch to dark colours' }).press('Enter');
    await page.reload();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Watch' }).press('Enter');
    await page.getByRole('heading', { name: 'Watch', level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/watch');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: /laboratory/ }).waitFor();
  });

  inPage('two players are watched side by side, and measured', shared, {}, async (page) => {
    await page.goto(`${shared.site.url}/watch`);
    await page.getByRole('combobox', { name: 'Player', exact: true }).selectOption('greedy');
    await page.getByRole('combobox', { name: 'Second player, side by side' }).selectOption('random');
    await page.getByLabel('Time between moves').fill('0');
    await page.getByRole('button', { name: 'Watch a game' }).click();
    await until('both games end', async () => (await page.locator('dd [role=status]').allInnerTexts()).filter((state) => /over|won/.test(state)).length === 2);
    await page.getByLabel('Games', { exact: true }).fill('20');
    await page.getByRole('button', { name: 'Measure' }).click();
    await until('both are measured', async () => (await page.getByText('20 of 20 games, done').count()) === 2);
    assert.deepEqual(await flaws(page), []);
    await shot(page, 'watch-two');
  });

  inPage("a champion's games are listed, watched, kept as a file and opened again", shared, {}, async (page) => {
    await page.goto(`${shared.site.url}/runs/${RUN}`);
    await page.getByLabel('Order').selectOption('worst first');
    const worst = page.getByRole('region', { name: 'Games' }).locator('tbody tr').first();
    await until('they are sorted', async () => Number(await worst.locator('td').nth(1).innerText()) <= Number(await worst.locator('~ tr td:nth-child(2)').last().innerText()));
    const score = (await worst.locator('td').nth(1).innerText()).trim();
    await worst.getByRole('link').click();
    const replay = page.getByRole('region', { name: 'Replay' });
    await replay.getByLabel('Place in the game').press('End');
    await until('the end has its score', async () => (await replay.locator('dd').first().innerText()) === score);
    // So slowly that it can be paused before its end.
    await replay.getByLabel('Speed').selectOption('slow');
    await replay.getByRole('button', { name: '▶ Play' }).click();
    await replay.getByRole('button', { name: '❚❚ Pause' }).click();

    await replay.getByLabel('Place in the game').press('Home');
    for (const _ of [1, 2]) await replay.getByRole('button', { name: 'One step on' }).click();
    // A move, and the tile that came after it: both are marked, and so they are where the link is opened.
    await replay.locator('.last').waitFor();
    const shown = await replay.getByRole('img').getAttribute('aria-label');
    assert.match(shown, /Last move: (up|right|down|left)\. New tile in row/);
    await until('the address has the step', async () => new URL(page.url()).searchParams.get('step') === '2');
    await page.reload();
    await replay.locator('.last').waitFor();
    assert.equal(await replay.getByRole('img').getAttribute('aria-label'), shown);

    const file = await page.request.get(`${shared.site.url}/api/runs/${RUN}/files/best-game.json`);
    await page.goto(`${shared.site.url}/watch`);
    await page.getByLabel('Show a replay file').setInputFiles({ name: 'best-game.json', mimeType: 'application/json', buffer: await file.body() });
    await replay.getByLabel('Place in the game').press('End');
    const { score: best } = await file.json();
    await until('the best game is shown', async () => (await replay.locator('dd').first().innerText()).replaceAll(',', '') === String(best));
    await replay.getByRole('link', { name: 'Play from here' }).click();
    await page.waitForURL('**/play/2048?**');
  });

  inPage('the individuals of any generation are shown', shared, {}, async (page) => {
    await page.goto(`${shared.site.url}/runs/${RUN}`);
    await page.getByRole('heading', { name: 'Individuals of generation 40' }).waitFor();
    await page.getByLabel('Number', { exact: true }).fill('7');
    await page.getByLabel('Number', { exact: true }).press('Tab');
    await page.getByRole('img', { name: /Individuals of generation 7:/ }).waitFor();
    const { individuals } = await (await page.request.get(`${shared.site.url}/api/runs/${RUN}/individuals?generation=7`)).json();
    const first = page.getByRole('region', { name: 'Individuals' }).locator('tbody tr').first().locator('td');
    assert.equal(await first.nth(1).innerText(), String(individuals[0].id));
    assert.equal((await first.nth(4).innerText()).replaceAll(',', ''), String(individuals[0].highest));
    await page.getByLabel('Generation', { exact: true }).press('End');
    await page.getByRole('heading', { name: 'Individuals of generation 40' }).waitFor();
    await page.getByRole('navigation', { name: 'Pages of individuals' }).getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 2 of 2').waitFor();
    assert.deepEqual(await flaws(page), []);
  });

  inPage('the results lead to reports with pictures', shared, {}, async (page) => {
    await page.goto(shared.site.url);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Results' }).click();
    await page.getByRole('heading', { level: 1, name: /^Results/ }).waitFor();
    // That there is a picture behind every address is tested without a browser.
    const report = await page.locator('article a[href^="/results/"]:not([href="/results/records"])').first().getAttribute('href');
    await page.locator(`article a[href="${report}"]`).first().click();
    await page.waitForURL(`**${report}`);
    const picture = page.locator('article img').first();
    await picture.scrollIntoViewIfNeeded();
    await until('a picture is drawn', () => picture.evaluate((image) => image.complete && image.naturalWidth > 0));
  });

  inPage('charts of a study tell values, zoom, and hide a setting', shared, {}, async (page) => {
    await page.goto(`${shared.site.url}/studies/weights-for-2048`);
    const curves = page.locator('figure', { has: page.getByRole('heading', { name: 'Fitness by generation' }) });
    await curves.getByText('Values at the end (generation 40).').waitFor();
    await curves.locator('.u-over').scrollIntoViewIfNeeded();
    await curves.locator('.u-over').hover({ position: { x: 5, y: 20 } });
    await curves.getByText('Values at generation 0.').waitFor();
    const { x, y, width } = await curves.locator('.u-over').boundingBox();
    await page.mouse.move(x + width / 4, y + 30);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 30, { steps: 4 });
    await page.mouse.up();
    await curves.getByText('double-click to see all').waitFor();
    await curves.getByRole('checkbox', { name: /a small population/ }).uncheck();
    await curves.getByRole('img', { name: /^Fitness by generation: a population three times/ }).waitFor();
    await curves.getByRole('combobox', { name: /^by/ }).selectOption('games played');
    await page.getByRole('heading', { name: 'Fitness by games played' }).waitFor();

    const dots = page.locator('figure', { has: page.getByRole('heading', { name: 'score by setting' }) });
    assert.equal(await dots.locator('circle').count(), 4, 'a dot a run');
    await dots.locator('.strip').nth(1).hover();
    await dots.getByText(/three times as large.*: s2-r\d [\d,.]+; mean/).waitFor();
    await dots.getByRole('checkbox', { name: 'a small population' }).uncheck();
    assert.equal(await dots.locator('circle').count(), 2);
  });

  inPage('champions are picked by name and compared by their games', shared, {}, async (page) => {
    await page.goto(`${shared.site.url}/compare`);
    await page.getByLabel('Find a study or champion').fill('weights-for-2048/s');
    for (const run of ['s1-r1', 's2-r1']) await page.getByRole('checkbox', { name: `weights-for-2048/${run}` }).check();
    await page.getByRole('heading', { name: 'By score, over games of the champions' }).waitFor();
    await page.locator('.verdict').waitFor();
  });
});
