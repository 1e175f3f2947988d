// The colours of what is compared, as custom properties of the theme, and dashes where there are more lines than colours.
const COLOURS = 8;
const DASHES = [undefined, [7, 3], [2, 3]];

export function colourAt(place: number): string {
  return `--series-${(place % COLOURS) + 1}`;
}

export function dashAt(place: number): number[] | undefined {
  return DASHES[Math.floor(place / COLOURS) % DASHES.length];
}
