// Every game that the server has, whatever it is: found from the start page, played, hinted, watched; and on a grid, by mouse and keyboard alone.
import assert from 'node:assert/strict';
import { ask, flaws, inPage, shot, suite, until } from './support.mjs';

const result = (page) => page.locator('.result .words');
const moves = async (page) => Number((await page.locator('dl div:has(dt:text-is("moves")) dd').innerText()).replaceAll(',', ''));
const title = (game) => game.charAt(0).toUpperCase() + game.slice(1);
/** A game without a drawing of its own, which the page knows nothing of. */
const UNKNOWN = 'tic-tac-toe';

suite('every game', 2, (shared) => {
  inPage('is found, played by a player, undone and hinted', shared, {}, async (page) => {
    for (const game of await ask(shared.site.url, '/api/games')) {
      await page.goto(shared.site.url);
      await page.getByRole('region', { name: 'Games' }).getByRole('link', { name: title(game.name) }).click();
      await page.getByRole('heading', { level: 1, name: title(game.name) }).waitFor();
      const pause = page.getByLabel('Time between moves');
      // The panel is made anew when the game has been loaded, which may come after the click.
      await until(`${game.name}: settings are open`, async () => {
        if (!(await pause.isVisible())) await page.getByText('Autoplay settings').click();
        return pause.isVisible();
      });
      await pause.fill('0');
      await page.getByRole('combobox', { name: 'Player', exact: true }).selectOption('random');
      for (const i of [1, 2]) {
        await page.getByRole('button', { name: 'Make one move' }).click();
        await until(`${game.name}: move ${i}`, async () => (await moves(page)) === i);
      }
      await page.keyboard.press('u');
      await until(`${game.name}: undo`, async () => (await moves(page)) === 1);
      await page.getByRole('button', { name: 'Show hints' }).click();
      await page.locator('[aria-live=polite]', { hasText: /own points|Share of its playouts|Exact scores|not proved|does not rate/ }).waitFor();
      await page.getByRole('button', { name: 'Autoplay' }).click();
      await result(page).waitFor();
    }
  });

  inPage('is watched and measured', shared, {}, async (page) => {
    for (const game of await ask(shared.site.url, '/api/games')) {
      await page.goto(`${shared.site.url}/watch?game=${game.name}&player=random`);
      await page.getByLabel('Time between moves').fill('0');
      await page.getByRole('button', { name: 'Watch a game' }).click();
      await until(`${game.name} ends`, async () => /won|lost|draw|over/.test(await page.locator('dd [role=status]').innerText()));
      await page.getByLabel('Games', { exact: true }).fill('10');
      await page.getByRole('button', { name: 'Measure' }).click();
      await page.getByText('10 of 10 games, done').waitFor();
      assert.deepEqual(await flaws(page), [], game.name);
      await shot(page, `watch-${game.name}`);
    }
  });
});

suite('a game that the page knows nothing of', 3, (shared) => {
  const url = () => `${shared.site.url}/play/${UNKNOWN}`;
  const cells = (page) => page.locator('button[data-cell]');

  inPage('is played to its end with the mouse', shared, {}, async (page) => {
    await page.goto(url());
    await cells(page).first().waitFor();
    for (let i = 0; (await result(page).count()) === 0; i++) {
      await cells(page).first().click();
      await until('an answer', async () => (await moves(page)) === i + 1);
    }
    assert.match(await result(page).innerText(), /player wins|draw/);
    assert.deepEqual(await flaws(page), []);
    await shot(page, `over-${UNKNOWN}`);
  });

  inPage('is played against a player with the keyboard', shared, {}, async (page) => {
    await page.goto(url());
    await cells(page).first().waitFor();
    await page.getByRole('combobox', { name: 'Opponent', exact: true }).selectOption('random');
    await page.locator('h1').click();
    while ((await result(page).count()) === 0) {
      const before = await moves(page);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      await until('an answer', async () => (await result(page).count()) > 0 || (await moves(page)) >= before + 2);
    }
    assert.match(await result(page).innerText(), /You win|You lose|draw/);
  });

  inPage('has hints on its board, and a link to its position', shared, {}, async (page) => {
    await page.goto(url());
    await cells(page).nth(4).click();
    await until('a move', async () => (await moves(page)) === 1);
    await page.keyboard.press('?');
    await page.locator('button.best[data-cell]').waitFor();
    const [left, link] = [await cells(page).count(), page.url()];
    await page.goto(shared.site.url);
    await page.goto(link);
    await until('the same position', async () => (await cells(page).count()) === left);
  });

  inPage('is measured by a study from its template', shared, {}, async (page) => {
    await page.goto(`${shared.site.url}/new-study?game=${UNKNOWN}`);
    await page.getByText('✓ Ready').waitFor();
    await page.getByRole('button', { name: 'Short trial' }).click();
    await page.locator('.badge.finished').first().waitFor();
    await page.goto(`${shared.site.url}/leaderboard/${UNKNOWN}`);
    await page.getByRole('heading', { name: 'Elo' }).waitFor();
    assert.deepEqual(await flaws(page), []);
  });
});
