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
    const first = await go();
    await page.keyboard.press('u');
    await until('no move', async () => (await moves(page)) === 0);
    assert.equal(position(page), start);
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
    await page.getByLabel('Who plays against me').selectOption('random');
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
    await page.getByLabel('Longest time of a search').selectOption('10 s');
    await page.keyboard.press('?');
    await page.locator('.values .best').waitFor();
    const scores = (await page.locator('.values > span').allInnerTexts()).map((text) => text.replace(/.*:/s, '').trim());
    // As solvers on the web have them.
    assert.deepEqual(scores.map(Number), [-18, -18, 2, -18, -18, 2, -18]);
    await page.getByText('Exact scores').waitFor();
  });

  play('what could not be solved in time is told, and can be thought about longer', '/play/connect?pos=1737&rows=7&cols=8', async (page) => {
    await page.getByLabel('Longest time of a search').selectOption('0.3 s');
    await page.keyboard.press('?');
    await page.getByText('Cut short').waitFor();
    assert.ok((await page.locator('.values').innerText()).includes('?'));
    await page.getByRole('button', { name: 'Think for 1 s' }).click();
    await page.getByRole('button', { name: 'Think for 3 s' }).waitFor();
  });

  play('a link to the position is copied, and leads there', '/play/connect?pos=4453', async (page) => {
    // It says so for a moment only.
    await Promise.all([page.getByRole('button', { name: 'Copied' }).waitFor(), page.getByRole('button', { name: 'Copy link' }).click()]);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, page.url());
    await page.goto(`${shared.site.url}/`);
    await page.goto(link);
    await page.locator('.drop').nth(3).waitFor();
  }, { permissions: ['clipboard-read', 'clipboard-write'] });

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
    await page.getByRole('button', { name: 'One move' }).click();
    await until('one move', async () => (await moves(page)) === 1);
    await page.getByRole('button', { name: 'Automatic' }).click();
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
    await who.getByRole('button', { name: 'One move' }).click();
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

  inPage('a position that is none is told of', shared, {}, async (page) => {
    // The refusal is an error to the browser, too; only that one.
    page.removeAllListeners('console');
    await page.goto(`${shared.site.url}/play/connect?pos=1111111`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'New game' }).click();
    await page.locator('[role=img]').first().waitFor();
  });
});
