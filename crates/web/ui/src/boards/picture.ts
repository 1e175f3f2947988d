// A position as a picture of its own: SVG text, and the same as PNG.
import type { BoardOf, View } from '../api/types';

const CELL = 64;
const TILES = ['#fff8d6', '#fbe98a', '#dbe04a', '#a8db4a', '#6ece58', '#35b779', '#26a98f', '#1d7480', '#2c5f85', '#3b4687', '#482878', '#3a0d56', '#1c0b2e'];
const PIECES: Record<string, string> = { I: '#56b4e9', O: '#f0e442', T: '#cc79a7', S: '#2fbf97', Z: '#ee7733', J: '#5b9bd5', L: '#e69f00' };
const TONES = ['#ffffff', '#f4bf4f', '#a6d4f7', '#7fd6b3', '#ecabcf', '#f0e442', '#f5a884', '#c9bdf5'];

/** The picture of a position. */
export function svgOf(view: View): string {
  const { board } = view;
  const cells = drawn(view);
  const [width, height] = [board.cols * CELL, board.rows * CELL];
  const ground = board.kind === 'connect' ? '#1f4e79' : '#d5dae1';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-weight="700" text-anchor="middle"><rect width="100%" height="100%" rx="10" fill="${ground}"/>${cells.join('')}</svg>`;
}

/** The same picture as PNG. */
export async function pngOf(view: View): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgOf(view))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  // Twice as large, so that it stays sharp on paper and on a wall.
  [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser could not make a picture.'))), 'image/png');
  });
}

function drawn({ board }: View): string[] {
  switch (board.kind) {
    case '2048':
      return board.cells.map((value, place) => tile(at(place, board.cols), value ? (TILES[Math.min(12, Math.log2(value) - 1)] ?? '') : '#eceff3', value ? String(value) : '', value >= 256));
    case 'connect':
      return board.cells.map((cell, place) => stone(at(place, board.cols), cell, board.line.includes(place)));
    case 'tetris':
      return board.cells.map((letter, place) => tile(at(place, board.cols), letter ? (PIECES[letter] ?? '#a9b4c2') : '#ffffff', /^[A-Z]$/.test(letter) ? letter : '', false));
    case 'grid':
      return board.cells.map(({ label, tone }, place) => tile(at(place, board.cols), TONES[tone === 0 ? 0 : ((tone - 1) % 7) + 1] ?? '', label, false));
  }
}

function at(place: number, cols: number): [number, number] {
  return [(place % cols) * CELL, Math.floor(place / cols) * CELL];
}

function tile([x, y]: [number, number], fill: string, text: string, isDark: boolean): string {
  const size = Math.min(CELL / 2, (1.5 * CELL) / Math.max(2, text.length));
  const label = text ? `<text x="${x + CELL / 2}" y="${y + CELL / 2 + size * 0.35}" font-size="${size}" fill="${isDark ? '#fff' : '#14202b'}">${escaped(text)}</text>` : '';
  return `<rect x="${x + 3}" y="${y + 3}" width="${CELL - 6}" height="${CELL - 6}" rx="6" fill="${fill}"/>${label}`;
}

function stone([x, y]: [number, number], kind: BoardOf<'connect'>['cells'][number], wins: boolean): string {
  const [cx, cy, r] = [x + CELL / 2, y + CELL / 2, CELL * 0.42];
  const ring = wins ? `<circle cx="${cx}" cy="${cy}" r="${r + 3}" fill="#fff"/>` : '';
  if (!kind) return `<circle cx="${cx}" cy="${cy}" r="${r}" fill="#f6f7f9"/>`;
  if (kind === 'x') {
    const d = r * 0.36;
    return `${ring}<circle cx="${cx}" cy="${cy}" r="${r}" fill="#f0b429" stroke="#8a5a00" stroke-width="2"/><path d="M${cx - d} ${cy - d}l${2 * d} ${2 * d}m0 ${-2 * d}l${-2 * d} ${2 * d}" stroke="#4a3000" stroke-width="6" stroke-linecap="round"/>`;
  }
  return `${ring}<circle cx="${cx}" cy="${cy}" r="${r}" fill="#d4e9fb" stroke="#0b3c64" stroke-width="2"/><circle cx="${cx}" cy="${cy}" r="${r * 0.45}" fill="none" stroke="#0b3c64" stroke-width="6"/>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
