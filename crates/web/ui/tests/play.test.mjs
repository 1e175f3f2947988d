// Every game is played to its end by keyboard; hints, undo, shared positions and players that go on by themselves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, openPage, server, until } from './support.mjs';

let site, instance;
before(async () => {
  [site, instance] = await Promise.all([server(), browser()]);
});
after(async () => {
  await instance?.close();
  await site?.end();
});

function play(name, address, steps) {
  test(name, async () => {
    const { page, errors, close } = await openPage(instance);
    await page.goto(site.url + address);
    await page.locator('[role=img]').first().waitFor();
    await steps(page);
    assert.deepEqual(errors, []);
    await close();
  });
}
const result = (page) => page.locator('.result .words');
const number = async (page, name) => Number((await page.locator(`dl div:has(dt:text-is("${name}")) dd`).innerText()).replaceAll(',', ''));

play('2048 is played to its end with arrow keys', '/play/2048?size=3x3', async (page) => {
  const keys = ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp'];
  for (let i = 0; i < 4000 && (await result(page).count()) === 0; i++) await page.keyboard.press(keys[i % 4]);
  assert.match(await result(page).innerText(), /over/);
  assert.ok((await number(page, 'score')) > 0);
});

play('2048 by the rules of FER slides and counts moves', '/play/2048?rules=fer', async (page) => {
  // An empty move counts here, so every key is a move.
  for (const [i, key] of ['a', 's', 'd', 'w', 'h', 'j'].entries()) {
    await page.keyboard.press(key);
    await until(`move ${i + 1}`, async () => (await number(page, 'moves')) === i + 1);
  }
  assert.match(page.url(), /rules=fer/);
});

play('2048 slides by swipe', '/play/2048', async (page) => {
  const box = await page.locator('[role=img]').first().boundingBox();
  for (const [dx, dy] of [[120, 0], [0, 120], [-120, 0], [0, -120]]) {
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 200 + dx, box.y + 200 + dy);
    await page.mouse.up();
  }
  await until('a move', async () => (await number(page, 'moves')) > 0);
});

play('undo goes back, and the same move brings the same tile', '/play/2048', async (page) => {
  const start = new URL(page.url()).searchParams.get('pos');
  const go = async () => {
    for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
      if ((await number(page, 'moves')) === 1) break;
    }
    return new URL(page.url()).searchParams.get('pos');
  };
  const first = await go();
  assert.notEqual(first, start);
  await page.keyboard.press('u');
  await until('no move', async () => (await number(page, 'moves')) === 0);
  assert.equal(new URL(page.url()).searchParams.get('pos'), start);
  assert.equal(await go(), first);
});

play('Tetris is placed to its end, and Esc begins anew', '/play/tetris?board=6x8', async (page) => {
  for (let i = 0; i < 400 && (await result(page).count()) === 0; i++) {
    await page.keyboard.press('Space');
    await page.waitForTimeout(40);
  }
  assert.match(await result(page).innerText(), /over/);
  await page.keyboard.press('Escape');
  await until('a new game', async () => (await result(page).count()) === 0 && (await number(page, 'moves')) === 0);
});

play('Tetris falls by the clock, and lies where it was dropped', '/play/tetris?mode=falling&board=10x12', async (page) => {
  const rows = () => page.locator('.cell.filled').evaluateAll((cells) => cells.map((cell) => [...cell.parentElement.children].indexOf(cell)));
  const first = await rows();
  await until('it falls', async () => Math.min(...(await rows())) > Math.min(...first));
  for (const key of ['ArrowLeft', 'ArrowUp', 'z', 'ArrowRight', 'Space']) await page.keyboard.press(key);
  await until('a piece', async () => (await number(page, 'moves')) === 1);
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
  assert.equal(new URL(page.url()).searchParams.get('pos'), '1212121');
});

play('Connect is played to its end against a player with the mouse', '/play/connect?rows=4&cols=4', async (page) => {
  await page.getByLabel('Who plays against me').selectOption('random');
  for (let i = 0; i < 40 && (await result(page).count()) === 0; i++) {
    await page.locator('[data-column]:not([disabled])').first().click({ timeout: 2000 }).catch(() => {});
    await page.waitForTimeout(150);
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
  await page.goto(`${site.url}/play/connect?pos=44535331`);
  await page.locator('.drop').nth(7).waitFor();
  await page.getByLabel('Longest time of a search').selectOption('10000');
  await page.keyboard.press('?');
  await page.locator('.values .best').waitFor();
  assert.equal(await page.locator('.values > span').count(), 7);
});

play('a hint values the moves of 2048, and a player goes on from here', '/play/2048?size=3x3', async (page) => {
  await page.keyboard.press('?');
  await page.locator('li.best').waitFor();
  await page.getByLabel('Time between moves').fill('0');
  await page.getByRole('button', { name: 'One move' }).click();
  await until('one move', async () => (await number(page, 'moves')) === 1);
  await page.getByRole('button', { name: 'Play on' }).click();
  await until('it plays', async () => (await number(page, 'moves')) > 5);
  await page.getByRole('button', { name: 'Stop' }).click();
});

play('a hint in Tetris can be pointed at', '/play/tetris', async (page) => {
  await page.keyboard.press('?');
  await page.locator('li.best button').click();
  await page.keyboard.press('Space');
  await until('a piece', async () => (await number(page, 'moves')) === 1);
});

test('a position that is none is told of', async () => {
  const { page, close } = await openPage(instance);
  await page.goto(`${site.url}/play/connect?pos=1111111`);
  await page.getByRole('alert').waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'New game' }).click();
  await page.locator('[role=img]').first().waitFor();
  await close();
});
