// Every game is played to its end, by keyboard, mouse and touch; hints, undo, shared positions and players that go on by themselves.
import assert from 'node:assert/strict';
import { inPage, suite, until } from './support.mjs';

const result = (page) => page.locator('.result .words');
const number = async (page, name) => Number((await page.locator(`dl div:has(dt:text-is("${name}")) dd`).innerText()).replaceAll(',', ''));
const moves = (page) => number(page, 'moves');
const position = (page) => new URL(page.url()).searchParams.get('pos');
const PHONE = { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true };

/** Presses keys in turn until the game is over; each is answered before the next. */
async function playOut(page, keys) {
  for (let i = 0; i < 400 && (await result(page).count()) === 0; i++) {
    await page.keyboard.press(keys[i % keys.length]);
    await until('an answer', async () => (await page.locator('[aria-busy=true]').count()) === 0);
  }
}

/** A finger slides over the board. */
async function slide(page, dx, dy) {
  const { x, y, width, height } = await page.locator('[role=img]').first().boundingBox();
  const session = await page.context().newCDPSession(page);
  const at = (part) => [{ x: x + width / 2 + part * dx, y: y + height / 2 + part * dy }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(0.5) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(1) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

suite('play', 3, (shared) => {
  function play(name, address, steps, options) {
    inPage(name, shared, options, async (page) => {
      await page.goto(shared.site.url + address);
      await page.locator('[role=img]').first().waitFor();
      await steps(page);
    });
  }

  play('2048 is played to its end with arrow keys', '/play/2048?size=3x3&pos=123/456/780', async (page) => {
    await playOut(page, ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp']);
    assert.match(await result(page).innerText(), /over/);
    assert.ok((await moves(page)) > 0);
  });

  play('2048 by the rules of FER slides and counts moves', '/play/2048?rules=fer', async (page) => {
    // An empty move counts here, so every key is a move.
    for (const [i, key] of ['a', 's', 'd', 'w', 'h', 'j'].entries()) {
      await page.keyboard.press(key);
      await until(`move ${i + 1}`, async () => (await moves(page)) === i + 1);
    }
    assert.match(page.url(), /rules=fer/);
  });

  play('2048 slides by a finger, and the page does not scroll with it', '/play/2048?rules=fer', async (page) => {
    for (const [i, [dx, dy]] of [[120, 0], [0, 120], [-120, 0], [0, -120]].entries()) {
      await slide(page, dx, dy);
      await until(`slide ${i + 1}`, async () => (await moves(page)) === i + 1);
    }
    assert.equal(await page.evaluate(() => scrollY), 0);
    await slide(page, 5, 5);
    await page.getByRole('button', { name: 'Slide up' }).tap();
    await until('a move by its button', async () => (await moves(page)) === 5);
  }, PHONE);

  play('undo goes back, and the same move brings the same tile', '/play/2048?rules=fer', async (page) => {
    const start = position(page);
    const go = async () => {
      await page.keyboard.press('ArrowLeft');
      await until('a move', async () => (await moves(page)) === 1 && position(page) !== start);
      return position(page);
    };
    const marked = () => page.locator('.board.left .last').count();
    const first = await go();
    assert.equal(await marked(), 1);
    await page.keyboard.press('u');
    await until('no move', async () => (await moves(page)) === 0);
    assert.equal(position(page), start);
    assert.equal(await marked(), 0);
    assert.equal(await go(), first);
  });

  play('Tetris is placed to its end, and Esc begins anew', '/play/tetris?board=4x6', async (page) => {
    await playOut(page, ['Space']);
    assert.match(await result(page).innerText(), /over/);
    await page.keyboard.press('Escape');
    await until('a new game', async () => (await result(page).count()) === 0 && (await moves(page)) === 0);
  });

  play('Tetris is placed by a finger', '/play/tetris', async (page) => {
    await slide(page, -60, 0);
    await slide(page, 0, 120);
    await until('a piece lies', async () => (await moves(page)) === 1);
    await page.getByRole('button', { name: 'Turn right' }).tap();
    await page.getByRole('button', { name: 'Drop' }).tap();
    await until('another lies', async () => (await moves(page)) === 2);
    await until('its cells are marked', async () => (await page.locator('.cell.last').count()) === 4);
  }, PHONE);

  play('Tetris falls by the clock, and lies where it was dropped', '/play/tetris?mode=falling&board=10x12', async (page) => {
    const rows = () => page.locator('.cell.filled').evaluateAll((cells) => cells.map((cell) => [...cell.parentElement.children].indexOf(cell)));
    const first = await rows();
    await until('it falls', async () => Math.min(...(await rows())) > Math.min(...first));
    for (const key of ['ArrowLeft', 'ArrowUp', 'z', 'ArrowRight', 'Space']) await page.keyboard.press(key);
    // More than one if the keys came late.
    await until('a piece', async () => (await moves(page)) >= 1);
    await page.keyboard.press('p');
    await page.getByText('Paused').waitFor();
  });

  play('Tetris holds a piece, and drops the other', '/play/tetris?hold=true', async (page) => {
    const label = () => page.locator('[role=img].board').getAttribute('aria-label');
    const pieces = async () => /Piece (\w+), then (\w+).*Held: (\w+)/.exec(await label()).slice(1);
    const [current, next, held] = await pieces();
    assert.equal(held, 'none');
    await page.keyboard.press('c');
    await until('the next piece instead', async () => (await pieces())[0] === next && (await pieces())[2] === current);
    await page.keyboard.press('Space');
    await until('it lies', async () => (await moves(page)) === 1);
    assert.match(position(page), new RegExp(`hold ${current}$`));
    await page.getByRole('button', { name: 'Hold' }).click();
    await until('the held piece is back', async () => (await pieces())[0] === current);
  });

  play('Connect is won with digits, and told', '/play/connect', async (page) => {
    for (const [i, key] of ['1', '2', '1', '2', '1', '2', '1'].entries()) {
      await page.keyboard.press(key);
      await until(`stone ${i + 1}`, async () => (await page.locator('.drop').count()) === i + 1);
    }
    await result(page).waitFor();
    assert.match(await result(page).innerText(), /x wins/);
    assert.equal(position(page), '1212121');
  });

  play('Connect is played by a finger', '/play/connect?rows=4&cols=4', async (page) => {
    for (const [i, column] of [0, 1, 0, 1, 0, 1, 0].entries()) {
      await page.locator(`[data-column='${column}']`).tap();
      await until(`stone ${i + 1}`, async () => (await page.locator('.drop').count()) === i + 1);
    }
    assert.match(await result(page).innerText(), /x wins/);
  }, PHONE);

  play('Connect is played to its end against a player with the mouse', '/play/connect?rows=4&cols=4', async (page) => {
    await page.getByRole('combobox', { name: 'Opponent', exact: true }).selectOption('random');
    for (let i = 0; i < 40 && (await result(page).count()) === 0; i++) {
      const stones = await page.locator('.drop').count();
      await page.locator('[data-column]:not([disabled])').first().click();
      await until('an answer', async () => (await result(page).count()) > 0 || (await page.locator('.drop').count()) >= stones + 2);
    }
    assert.match(await result(page).innerText(), /You|draw/);
  });

  play('a shared Connect position reloads, undoes, and has exact scores over its columns', '/play/connect?pos=4453', async (page) => {
    assert.equal(await page.locator('.drop').count(), 4);
    await page.reload();
    await page.locator('.drop').nth(3).waitFor();
    assert.equal(await page.locator('.drop').count(), 4);
    await page.keyboard.press('u');
    await until('three stones', async () => (await page.locator('.drop').count()) === 3);
    await page.keyboard.press('?');
    await page.getByText('Exact scores').waitFor();
    const scores = (await page.locator('.values > span').allInnerTexts()).map((text) => text.replace(/.*:/s, '').trim());
    // As solvers on the web have them.
    assert.deepEqual(scores.map(Number), [-18, -18, 2, -18, -18, 2, -18]);
  });

  play('columns that are not proved are estimated, and are thought about until a move is made', '/play/connect?pos=1737&rows=7&cols=8', async (page) => {
    await page.keyboard.press('?');
    await page.locator('.values .estimate').first().waitFor();
    assert.match(await page.locator('.values').innerText(), /\d+ %/);
    await page.getByText('columns are not proved yet').waitFor();
    await page.getByRole('button', { name: 'Stop thinking' }).click();
    await page.getByRole('button', { name: 'Think longer' }).click();
    await page.getByRole('button', { name: 'Stop thinking' }).waitFor();
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/hints'));
    await page.keyboard.press('1');
    await ended;
    await page.getByRole('button', { name: 'Show hints' }).waitFor();
  });

  play('the perfect player with its scores is one click away, and the address keeps it', '/play/connect', async (page) => {
    await page.getByRole('button', { name: 'Play the perfect player, scores shown' }).click();
    await page.getByText('Exact scores').waitFor();
    await page.keyboard.press('4');
    await until('an answer', async () => (await page.locator('.drop').count()) === 2);
    await page.locator('.values .plus').first().waitFor();
    const address = page.url();
    assert.match(address, /vs=perfect/);
    assert.match(address, /hints=perfect/);
    await page.reload();
    await page.locator('.drop').nth(1).waitFor();
    await page.locator('.values .plus').first().waitFor();
    assert.equal(page.url(), address);
    // The stone that fell last is marked, also after loading.
    assert.equal(await page.locator('.hole.last').count(), 1);
  });

  play('a position is shared as link, moves, text and picture', '/play/connect?pos=4453', async (page) => {
    await page.getByText('Share', { exact: true }).click();
    const copied = async (name, told) => {
      await Promise.all([page.getByText(told).waitFor(), page.getByRole('button', { name }).click()]);
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const link = await copied('Copy link', 'Link copied');
    assert.equal(link, page.url());
    assert.equal(await copied('Copy moves', 'Moves copied'), '4453');
    assert.equal(await copied('Copy as text', 'Board copied'), '.......\n.......\n.......\n.......\n...o...\n..oxx..');
    for (const [name, file] of [['Save as PNG', 'connect.png'], ['Save as SVG', 'connect.svg']]) {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      assert.equal(download.suggestedFilename(), file);
    }
    await page.goto(`${shared.site.url}/`);
    await page.goto(link);
    await page.locator('.drop').nth(3).waitFor();
  }, { permissions: ['clipboard-read', 'clipboard-write'] });

  play('board and controls fit a laptop, and the big screen shows nothing else', '/play/2048', async (page) => {
    for (const game of ['2048', 'tetris', 'connect']) {
      await page.goto(`${shared.site.url}/play/${game}`);
      await page.locator('[role=img]').first().waitFor();
      const bottom = (locator) => locator.evaluate((element) => element.getBoundingClientRect().bottom);
      assert.ok((await bottom(page.getByRole('button', { name: 'New game' }))) <= 720, game);
    }
    const width = async () => (await page.locator('[role=img]').first().boundingBox()).width;
    const small = await width();
    await page.keyboard.press('b');
    await until('a larger board', async () => (await width()) > small);
    assert.equal(await page.getByRole('navigation').isVisible(), false);
    assert.match(page.url(), /big=1/);
    await page.keyboard.press('b');
    await until('the usual board', async () => (await width()) === small);
  }, { viewport: { width: 1280, height: 720 } });

  play('who wants no motion sees none', '/play/connect?rows=4&cols=4', async (page) => {
    // Noted when an animation begins, since it may be over before anybody looks.
    await page.evaluate(() => {
      globalThis.longest = 0;
      document.addEventListener('animationstart', ({ target }) => {
        globalThis.longest = Math.max(globalThis.longest, 1000 * parseFloat(getComputedStyle(target).animationDuration));
      });
    });
    const longest = () => page.evaluate(() => globalThis.longest);
    await page.keyboard.press('1');
    await page.locator('.drop').waitFor();
    assert.ok((await longest()) <= 1, `${await longest()} ms`);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    // So slowly that it cannot be missed.
    const session = await page.context().newCDPSession(page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: 0.001 });
    await page.keyboard.press('1');
    await until('it falls', async () => (await longest()) > 100);
  });

  play('a hint values the moves of 2048, and a player goes on from here', '/play/2048', async (page) => {
    await page.keyboard.press('?');
    await page.locator('li.best').waitFor();
    await page.getByLabel('Time between moves').fill('0');
    await page.getByRole('button', { name: 'Make one move' }).click();
    await until('one move', async () => (await moves(page)) === 1);
    await page.getByRole('button', { name: 'Autoplay' }).click();
    await until('it plays', async () => (await moves(page)) > 5);
    await page.getByRole('button', { name: 'Me', exact: true }).click();
    await until('it stops', async () => (await page.getByRole('button', { name: 'Me', exact: true }).getAttribute('aria-pressed')) === 'true');
  });

  play('algorithm, heuristic and depth are plain choices', '/play/2048', async (page) => {
    const asked = [];
    page.on('request', (request) => request.url().endsWith('/choose') && asked.push(request.postDataJSON().player));
    const who = page.getByRole('region', { name: 'Who plays' });
    await who.getByRole('combobox', { name: 'Player', exact: true }).selectOption('minimax');
    await who.getByRole('combobox', { name: 'Heuristic' }).selectOption('empty');
    await who.getByRole('spinbutton', { name: 'Depth' }).fill('3');
    await who.getByRole('spinbutton', { name: 'Depth' }).press('Tab');
    await who.getByText('number of empty cells').waitFor();
    await who.getByRole('button', { name: 'Make one move' }).click();
    await until('it has moved', async () => (await moves(page)) === 1);
    assert.deepEqual(asked, ['minimax(depth=3, eval=empty)']);
    // Those who know the text may write it.
    await who.getByRole('combobox', { name: 'Player', exact: true }).selectOption('Written as text…');
    assert.equal(await who.getByLabel('Player, written').inputValue(), 'minimax(depth=3, eval=empty)');
  });

  play('a hint in Tetris can be pointed at', '/play/tetris', async (page) => {
    await page.keyboard.press('?');
    await page.locator('li.best button').click();
    await page.keyboard.press('Space');
    await until('a piece', async () => (await moves(page)) === 1);
  });

  inPage('the start page plays, and leads on with one click', shared, {}, async (page) => {
    const begin = page.getByRole('region', { name: 'Where to begin' });
    await page.goto(shared.site.url);
    await page.getByRole('region', { name: 'Games' }).locator('.tile, .drop, .cell').first().waitFor();
    await begin.getByRole('link', { name: 'Play' }).click();
    await page.getByText('Exact scores').waitFor();
    await page.goBack();
    await begin.getByRole('link', { name: 'Watch' }).click();
    await until('two games', async () => (await page.locator('dd [role=status]').count()) === 2);
    await page.goBack();
    await begin.getByRole('button', { name: 'Run the study' }).waitFor();
  });

  inPage('the links of the header stand in one line at every width', shared, {}, async (page) => {
    await page.goto(shared.site.url);
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await links.first().waitFor();
    for (const width of [360, 401, 430, 640, 768, 1280]) {
      await page.setViewportSize({ width, height: 760 });
      const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top));
      assert.equal(new Set(tops).size, 1, `${width} px: ${tops}`);
    }
  });

  inPage('what is watched stands in the address, and comes back with it', shared, {}, async (page) => {
    await page.goto(`${shared.site.url}/watch?game=2048&size=3x3&player=greedy&player2=random&seed=7&pause=0&on=1`);
    const scores = async () => (await page.locator('dl.figures dd:nth-of-type(1)').allInnerTexts()).join();
    const over = async () => (await page.locator('dd [role=status]').allInnerTexts()).filter((state) => /over|won/.test(state)).length === 2;
    await until('both games end', over);
    const [first, address] = [await scores(), page.url()];
    for (const part of ['size=3x3', 'player=greedy', 'player2=random', 'seed=7', 'pause=0', 'on=1']) assert.ok(address.includes(part), part);
    await page.reload();
    await until('both games end again', over);
    assert.equal(await scores(), first);
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.goBack();
    await until('they come back', over);
    assert.equal(page.url(), address);
  });

  inPage('a position that is none is told of', shared, {}, async (page) => {
    // The refusal is an error to the browser, too; only that one.
    page.removeAllListeners('console');
    await page.goto(`${shared.site.url}/play/connect?pos=1111111`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'New game' }).click();
    await page.locator('[role=img]').first().waitFor();
  });
});
